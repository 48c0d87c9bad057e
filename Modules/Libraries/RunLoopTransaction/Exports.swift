// Re-exports the types that the signatures of this module use.

@_exported public import struct AsyncRuntime.Instant
@_exported public import class AsyncRuntime.LiveRunLoop
@_exported public import struct AsyncRuntime.LiveRuntime
@_exported public import struct AsyncRuntime.Priority
@_exported public import protocol AsyncRuntime.RunLoopScheduler
@_exported public import protocol AsyncRuntime.Runtime
