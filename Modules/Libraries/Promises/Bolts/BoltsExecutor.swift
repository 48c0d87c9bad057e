public import AsyncRuntime

extension Bolts {
  /// Where a continuation runs.
  public enum Executor: Sendable {
    /// As `immediate`: Bolts goes to another queue here when the stack gets too deep, which it does not.
    case `default`
    /// On the lane of whoever completes the task, without a hop: as soon as what runs there has returned.
    case immediate
    /// On the main scheduler of the runtime.
    case mainThread
    /// On the runtime's pool.
    case pool
    /// On a scheduler of one's own, in place of Bolts' Dispatch and operation queues.
    case scheduler(any Scheduler)
    /// By a function that is to call what it gets. One that lets go of it instead fails the new task with
    /// `ResolverDropped`.
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
