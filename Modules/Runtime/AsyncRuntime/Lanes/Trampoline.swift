internal import DequeModule

/// Something that runs on a lane without a closure being made for it.
public protocol LaneWork: AnyObject {
  /// - Parameter context: that of the lane it runs on.
  func run(in context: LaneContext)
}

/// Runs what must not run inside the code that asks for it: first in, first out, as soon as that code
/// has returned. A million steps that each start the next one need no stack.
final class Trampoline {
  /// What is to run.
  enum Bounce {
    case body(() -> Void, Causality)
    /// Saves a closure for each.
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

  // Only the lane's own thread touches them, so accesses need no dynamic check.
  @exclusivity(unchecked) private var pending: Deque<Bounce> = []
  @exclusivity(unchecked) var isRunning = false

  /// Runs `bounce` and then whatever it left behind, or leaves it behind if the lane is already at it.
  ///
  /// - Parameter context: the calling thread's.
  func run(_ bounce: consuming Bounce, in context: LaneContext) {
    guard !isRunning else { return pending.append(bounce) }
    isRunning = true
    bounce.run(in: context)
    drain(in: context)
    isRunning = false
  }

  /// Runs `body` at once; what it leaves behind runs after it, or after what the lane is at.
  func enter(in context: LaneContext, _ body: () -> Void) {
    guard !isRunning else { return body() }
    isRunning = true
    body()
    drain(in: context)
    isRunning = false
  }

  /// Runs what waits, before the lane parks: who parks may be waiting for just that.
  func drain(in context: LaneContext) {
    while !pending.isEmpty { pending.removeFirst().run(in: context) }
  }
}
