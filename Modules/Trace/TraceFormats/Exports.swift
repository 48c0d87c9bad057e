@_exported public import TraceDrawing
