internal import DequeModule

/// Something that runs on a lane, without an allocation for a closure.
public protocol LaneWork: AnyObject {
  /// - Parameter context: the context of the lane.
  func run(in context: LaneContext)
}

/// Runs code that must not run inside its caller: first in, first out, as soon as the caller has returned. A million
/// steps that each start the next one need no stack.
final class Trampoline {
  /// The code that waits.
  enum Bounce {
    case body(() -> Void, Causality)
    /// Needs no closure.
    case work(any LaneWork, Causality)

    consuming func run(in context: LaneContext) {
      switch consume self {
      case .body(let body, let causality):
        context.perform(by: causality) { body() }
      case .work(let work, let causality):
        context.perform(by: causality) { work.run(in: context) }
      }
    }
  }

  // Only the lane's own thread accesses them, so accesses need no dynamic check.
  @exclusivity(unchecked) private var pending: Deque<Bounce> = []
  @exclusivity(unchecked) var isRunning = false

  /// Runs `bounce` and then the code that it left behind. If the lane already runs such code, leaves `bounce` behind.
  ///
  /// - Parameter context: the context of the calling thread.
  func run(_ bounce: consuming Bounce, in context: LaneContext) {
    guard !isRunning else { return pending.append(bounce) }
    isRunning = true
    bounce.run(in: context)
    drain(in: context)
    isRunning = false
  }

  /// Runs `body` immediately. The code that it leaves behind runs after it, or after the code that the lane is running.
  func enter(in context: LaneContext, _ body: () -> Void) {
    guard !isRunning else { return body() }
    isRunning = true
    body()
    drain(in: context)
    isRunning = false
  }

  /// Runs the code that waits, before the lane blocks: the lane may wait for exactly that code.
  func drain(in context: LaneContext) {
    while !pending.isEmpty { pending.removeFirst().run(in: context) }
  }
}
