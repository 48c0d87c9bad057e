// The types that the public signatures of this module use.

@_exported public import struct AsyncRuntime.Backoff
@_exported public import class AsyncRuntime.Cancellation
@_exported public import struct AsyncRuntime.LiveRuntime
@_exported public import enum AsyncRuntime.Placement
@_exported public import protocol AsyncRuntime.Runtime
@_exported public import protocol AsyncRuntime.Scheduler
@_exported public import struct AsyncRuntime.TimedOut
