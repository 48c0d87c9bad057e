/// Where the code of a step or a handler runs.
public enum Placement: Sendable {
  /// On the run loop of the runtime.
  case main
  /// On the workers of the runtime.
  case pool
  /// On a scheduler of the caller, such as one that `Runtime.serial(_:)` made.
  // In a box, so that a placement is one word: most have no scheduler, and are copied often.
  indirect case scheduler(any Scheduler)
  /// On the lane of the caller, without a hop: immediately, or as soon as the code has returned that runs there this
  /// way. However many such pieces of code start each other, they need no stack.
  case inline

  /// Runs `body` there, on behalf of the caller. Bodies that one lane hands to one placement start in that order.
  public func run(on runtime: any Runtime, _ body: @escaping @Sendable () -> Void) {
    switch self {
    case .main: runtime.main.schedule(body)
    case .pool: runtime.pool.schedule(body)
    case .scheduler(let scheduler): scheduler.schedule(body)
    case .inline: LaneContext.current.perform(body)
    }
  }
}
