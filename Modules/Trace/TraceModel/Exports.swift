@_exported public import AsyncPatterns
