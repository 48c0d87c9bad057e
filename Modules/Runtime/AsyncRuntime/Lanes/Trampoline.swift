internal import DequeModule

/// Work that runs on a lane without an allocation for a closure.
public protocol LaneWork: AnyObject {
  /// - Parameter context: the context of the lane.
  func run(in context: LaneContext)
}

/// Defers code that must not run inside its caller, and runs it in order as soon as the caller has
/// returned. A million steps that each start the next one therefore need no stack.
final class Trampoline {
  /// Code that is deferred.
  enum Bounce {
    case body(() -> Void, Causality)
    /// Needs no closure.
    case work(any LaneWork, Causality)

    // Without closures: they would copy the payload.
    consuming func run(in context: LaneContext) {
      let outer = context.causality
      switch consume self {
      case .body(let body, let causality):
        context.causality = causality
        body()
      case .work(let work, let causality):
        context.causality = causality
        work.run(in: context)
      }
      context.causality = outer
    }
  }

  // Only the lane's own thread accesses them, so accesses need no dynamic check.
  @exclusivity(unchecked) private var pending: Deque<Bounce> = []
  @exclusivity(unchecked) var isRunning = false

  /// Runs `bounce`, and then the code that it defers. If the lane is already running such code,
  /// defers `bounce`.
  ///
  /// - Parameter context: the context of the calling thread.
  func run(_ bounce: consuming Bounce, in context: LaneContext) {
    guard !isRunning else { return pending.append(bounce) }
    isRunning = true
    bounce.run(in: context)
    drain(in: context)
    isRunning = false
  }

  /// Runs `body` immediately. The code that it defers runs after it, or after the code that the
  /// lane is running.
  func enter(in context: LaneContext, _ body: () -> Void) {
    guard !isRunning else { return body() }
    isRunning = true
    body()
    drain(in: context)
    isRunning = false
  }

  /// Runs the deferred code. Called before the lane blocks, too: the lane may wait for exactly that
  /// code.
  func drain(in context: LaneContext) {
    while !pending.isEmpty { pending.removeFirst().run(in: context) }
  }
}
