// Re-exports the types that the signatures of this module use.

@_exported public import AsyncGeometry

@_exported public import protocol AsyncRuntime.Cancellable
@_exported public import struct AsyncRuntime.Instant
@_exported public import struct AsyncRuntime.LiveRuntime
@_exported public import protocol AsyncRuntime.Runtime
@_exported public import class SerialQueue.SerialQueue
