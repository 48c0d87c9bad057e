// Exports the whole trace: its model, its analysis, its pictures and its formats.

@_exported public import TraceFormats
