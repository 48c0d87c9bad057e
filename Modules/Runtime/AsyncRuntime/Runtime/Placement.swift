/// Where the code of a step or a handler runs.
public enum Placement: Sendable {
  /// On the run loop of the runtime.
  case main
  /// On the workers of the runtime.
  case pool
  /// On a given scheduler, such as one that `Runtime.serial(_:)` made.
  // In a box, so that a placement is one word: most have no scheduler, and are copied often.
  indirect case scheduler(any Scheduler)
  /// On the lane of the caller, without a hop. The code runs immediately, or as soon as other
  /// inline code on the lane has returned. So any number of such pieces of code can start each
  /// other without using more stack.
  case inline

  /// Runs `body` there, on behalf of the caller. If one lane passes several bodies to one
  /// placement, they start in that order.
  public func run(on runtime: any Runtime, _ body: @escaping @Sendable () -> Void) {
    switch self {
    case .main: runtime.main.schedule(body)
    case .pool: runtime.pool.schedule(body)
    case .scheduler(let scheduler): scheduler.schedule(body)
    case .inline: LaneContext.current.perform(body)
    }
  }
}
