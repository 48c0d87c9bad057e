@_exported public import TraceAnalysis
