// AsyncPatterns
