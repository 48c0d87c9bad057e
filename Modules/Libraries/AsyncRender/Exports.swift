// Types that occur in the signatures of this module.

@_exported public import AsyncGeometry

@_exported public import protocol AsyncRuntime.Cancellable
@_exported public import class AsyncRuntime.Cancellation
@_exported public import class AsyncRuntime.LiveRunLoop
@_exported public import struct AsyncRuntime.LiveRuntime
@_exported public import struct AsyncRuntime.Priority
@_exported public import protocol AsyncRuntime.RunLoopScheduler
@_exported public import protocol AsyncRuntime.Runtime

#if !Drawing
  #error("AsyncRender needs the trait Drawing: depend on the package with traits: [\"Drawing\"]")
#endif
