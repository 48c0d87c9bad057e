import AsyncRuntime
import Synchronization

/// Waits for several promises, which it identifies by index.
///
/// A promise retains the follower only while the follower waits for it. So when the follower is
/// released, none of the promises that it still waited for can ever be settled.
class Follower: LaneWork, @unchecked Sendable {
  // Safe to share: this class has no state, and each subclass guards its own.

  /// Called when the promise with the index `index` is settled. `source` holds the result.
  func sourceSettled(at index: Int, _ source: PromiseNode) {}

  /// Stops waiting for anything, because the follower's result is no longer needed.
  func cancelSources() {}

  /// Continues the follower's own work when there is more to do.
  func resume() {}

  /// Calls `resume()` as a handler of a chain.
  final func resumeThere(_ context: PromiseContext) { context.perform { self.resume() } }

  @usableFromInline final func run(in lane: LaneContext) { cancelSources() }

  /// Calls `cancelSources()` as soon as the code that runs on the lane has returned. A cancellation
  /// can reach a chain of many followers. The delay keeps this from growing the stack.
  final func cancelSourcesSoon() { LaneContext.current.perform(self as any LaneWork) }
}

/// Keeps a follower alive for many links. The result has a weak reference to the follower, and counting the references
/// to such an object takes several times as long.
final class FollowerHold: Follower, @unchecked Sendable {
  // Safe to share: it never changes.
  private let follower: Follower

  init(_ follower: Follower) { self.follower = follower }

  override func sourceSettled(at index: Int, _ source: PromiseNode) {
    follower.sourceSettled(at: index, source)
  }
}

/// Waits for one promise on behalf of a follower: one object, and no closure.
final class FollowerLink: PromiseNode, @unchecked Sendable {
  // Safe to share: the step stays in the node until it runs, on one thread.
  private struct Membership {
    let follower: Follower
    let index: Int
  }

  /// - Parameter context: must have no cancellation. Otherwise the chain could cancel this node, and the follower would
  ///   not be notified.
  init(of source: PromiseNode, by follower: Follower, _ index: Int, in context: PromiseContext) {
    super.init(
      of: source, ContextReference(context), [.any, .immediate, .inline, .quiet], source.site)
    step.store(Membership(follower: follower, index: index))
    holdsStep = true
  }

  override func runStep(after source: PromiseNode) {
    holdsStep = false
    let membership = step.take(Membership.self)
    membership.follower.sourceSettled(at: membership.index, source)
  }

  override func destroyStep() { step.destroy(Membership.self) }

  /// Stops waiting. If the promise fails later, its failure counts as handled.
  func stop() {
    currentSource()?.handleFailure()
    cancel()
  }
}

/// The promise that a follower settles.
final class FollowedStorage<Success: Sendable, Failure: Error>: PromiseStorage<Success, Failure>,
  @unchecked Sendable
{
  // Safe to share: it is set before any other code has the promise, and reading a weak reference is safe.
  private weak var follower: Follower?

  init(_ context: PromiseContext, _ site: Site, cancelsUnused: Bool) {
    super.init(ContextReference(context), site, flags: cancelsUnused ? Flag.cancelsUnused : 0)
  }

  func follow(_ follower: Follower) { self.follower = follower }

  /// Settles the promise because of `source`. If `source` has failed, the follower handles that failure.
  ///
  /// - Parameter isReplaced: whether the promise fails with another error.
  func settle(
    _ result: Result<Success, Failure>, because source: PromiseNode?,
    replacing isReplaced: Bool = false
  ) -> Bool {
    guard let source, source.hasFailed else { return settle(result) }
    source.handleFailure()
    guard seal() else { return false }
    if case .failure = result { answer(for: source, replacing: isReplaced) }
    publish(failed: write(result))
    return true
  }

  override func wasCancelled() { follower?.cancelSourcesSoon() }
}

extension PromiseNode {
  /// Whether the promise is cancelled when its last handler is cancelled.
  final var cancelsUnused: Bool { state.load(ordering: .relaxed) & Flag.cancelsUnused != 0 }
}
