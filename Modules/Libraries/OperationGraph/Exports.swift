// The types that the signatures of this module use.

@_exported public import struct AsyncRuntime.Backoff
@_exported public import protocol AsyncRuntime.Cancellable
@_exported public import class AsyncRuntime.Cancellation
@_exported public import struct AsyncRuntime.CompletionDropped
@_exported public import struct AsyncRuntime.Instant
@_exported public import struct AsyncRuntime.LiveRuntime
@_exported public import enum AsyncRuntime.Placement
@_exported public import struct AsyncRuntime.Priority
@_exported public import protocol AsyncRuntime.Runtime
@_exported public import struct AsyncRuntime.TimedOut
