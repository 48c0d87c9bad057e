@_exported public import AsyncRuntime
