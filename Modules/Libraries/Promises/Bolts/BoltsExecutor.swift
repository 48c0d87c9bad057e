public import AsyncRuntime

extension Bolts {
  /// The place where a continuation runs.
  public enum Executor: Sendable {
    /// The same as `immediate`. Bolts switches to another queue when the stack gets too deep; that cannot happen in
    /// this library.
    case `default`
    /// On the lane of the code that completes the task, without a hop. The continuation runs as
    /// soon as the code on that lane has returned.
    case immediate
    /// On the main scheduler of the runtime.
    case mainThread
    /// On the runtime's pool.
    case pool
    /// On a scheduler that the caller provides, in place of the Dispatch and operation queues of
    /// Bolts.
    case scheduler(any Scheduler)
    /// Through a function that must call the closure that it gets. If it releases the closure without a call, the new
    /// task fails with `ResolverDropped`.
    case escapingClosure(@Sendable (@escaping @Sendable () -> Void) -> Void)

    var placement: Placement {
      switch self {
      case .default, .immediate, .escapingClosure: .inline
      case .mainThread: .main
      case .pool: .pool
      case .scheduler(let scheduler): .scheduler(scheduler)
      }
    }
  }
}
