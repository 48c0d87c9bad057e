internal import DequeModule

/// Work that runs on a lane without an allocation for a closure.
public protocol LaneWork: AnyObject {
  /// - Parameter context: the context of the lane.
  func run(in context: LaneContext)
}

/// Defers code that must not run inside its caller, and runs it in order as soon as the caller has
/// returned. A million steps that each start the next one therefore do not make the stack deeper.
final class Trampoline {
  /// Code that is deferred. It cannot be copied, since copying its references would cost more than deferring it.
  enum Bounce: ~Copyable {
    case body(() -> Void, Causality)
    /// Needs no closure.
    case work(any LaneWork, Causality)

    // This code uses no closures, because they would copy the payload.
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

  // Only the lane's own thread accesses these properties, so accesses need no dynamic check.
  @exclusivity(unchecked) private var pending = UniqueDeque<Bounce>()
  @exclusivity(unchecked) var isRunning = false
  /// The work that follows the running jobs of serial schedulers. The work that follows an inner job comes last.
  @exclusivity(unchecked) private var following = UniqueDeque<Bounce>()

  /// Runs `bounce`, and then the code that `bounce` defers. If the trampoline is already running other code, defers
  /// `bounce`.
  ///
  /// - Parameter context: the context of the calling thread.
  func run(_ bounce: consuming Bounce, in context: LaneContext) {
    guard !isRunning else { return pending.append(bounce) }
    isRunning = true
    bounce.run(in: context)
    drain(in: context)
    isRunning = false
  }

  /// Runs `body` immediately, and then the code that `body` defers. If the trampoline is already running other code,
  /// the deferred code runs after that code.
  func enter(in context: LaneContext, _ body: () -> Void) {
    guard !isRunning else { return body() }
    isRunning = true
    body()
    drain(in: context)
    isRunning = false
  }

  /// Runs the deferred code. This is also called before the lane blocks, because the lane may be about to wait for
  /// exactly that code.
  func drain(in context: LaneContext) {
    while !pending.isEmpty { pending.removeFirst().run(in: context) }
  }

  /// Defers `bounce` until the running job of a serial scheduler has returned.
  func follow(_ bounce: consuming Bounce) { following.append(bounce) }

  /// How much work follows the running jobs.
  var followingCount: Int { following.count }

  /// Runs the work that follows a job which has returned.
  ///
  /// - Parameter first: how much work followed the jobs around that job when it started.
  func runFollowing(from first: Int, in context: LaneContext) {
    while following.count > first { following.remove(at: first).run(in: context) }
  }
}
