/// Where the code of a caller runs.
public enum Placement: Sendable {
  /// On the run loop of the runtime.
  case main
  /// On the workers of the runtime.
  case pool
  /// On a scheduler of one's own, such as one that `Runtime.serial(_:)` made.
  // In a box, so that a placement is one word: most are none of one's own, and are handed on and on.
  indirect case scheduler(any Scheduler)
  /// On the lane of whoever asks, without a hop: at once, or as soon as what runs there this way has
  /// returned. However many such pieces of code ask for each other, they need no stack.
  case inline

  /// Runs `body` there, on behalf of the caller. Bodies of one placement start in the order in which
  /// one lane asked for them.
  public func run(on runtime: any Runtime, _ body: @escaping @Sendable () -> Void) {
    switch self {
    case .main: runtime.main.schedule(body)
    case .pool: runtime.pool.schedule(body)
    case .scheduler(let scheduler): scheduler.schedule(body)
    case .inline: LaneContext.current.perform(body)
    }
  }
}
