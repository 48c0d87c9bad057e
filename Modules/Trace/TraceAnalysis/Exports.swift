@_exported public import TraceModel
