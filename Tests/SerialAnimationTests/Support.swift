@_exported import PatternTesting
