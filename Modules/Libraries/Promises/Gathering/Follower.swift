import AsyncRuntime
import Synchronization

/// Who is told what becomes of several promises, which it knows by number.
///
/// What it does not wait for any more does not hold it. So when it goes away, nothing that it waited for can
/// come any more.
class Follower: LaneWork, @unchecked Sendable {
  // Safe to share: it has no state; that of a subclass is guarded there.

  /// The promise that it follows by `index` is settled, as `source` is.
  func told(of index: Int, _ source: PromiseNode) {}

  /// Nobody is interested any more in what it waits for: lets go of that.
  func letGo() {}

  /// Goes on with what it does at times.
  func resume() {}

  /// Goes on as a handler of a chain.
  final func resumeThere(_ context: PromiseContext) { context.perform { self.resume() } }

  @usableFromInline final func run(in lane: LaneContext) { letGo() }

  /// Lets go of what it waits for, as soon as what runs on the lane has returned: what that cancels may
  /// follow others in turn, and so on, which is to need no stack.
  final func letGoSoon() { LaneContext.current.perform(self as any LaneWork) }
}

/// Listens to one promise on behalf of a follower: one object, and no closure.
final class FollowerLink: PromiseNode, @unchecked Sendable {
  // Safe to share: the step lies in the node until it runs, on one thread.
  private struct Membership {
    let follower: Follower
    let index: Int
  }

  /// - Parameter context: one that nothing cancels, or who is cancelled with its chain could not tell.
  init(of source: PromiseNode, by follower: Follower, _ index: Int, in context: PromiseContext) {
    super.init(
      of: source, ContextReference(context), at: nil, [.any, .atOnce, .inline, .quiet], source.site
    ) { source, link in
      link.holdsStep = false
      let membership = link.step.take(Membership.self)
      membership.follower.told(of: membership.index, source)
    }
    step.store(Membership(follower: follower, index: index))
    holdsStep = true
  }

  override func destroyStep() { step.destroy(Membership.self) }

  /// Listens no more; should that what it listened to fail yet, nobody misses it.
  func stop() {
    currentSource()?.answerFailure()
    cancel()
  }
}

/// The promise that a follower settles.
final class FollowedStorage<Success: Sendable, Failure: Error>: PromiseStorage<Success, Failure>,
  @unchecked Sendable
{
  // Safe to share: set before anybody else knows of it; what is weak is read safely.
  private weak var follower: Follower?

  init(_ context: PromiseContext, _ site: Site, cancelsUnused: Bool) {
    super.init(ContextReference(context), site, flags: cancelsUnused ? Flag.cancelsUnused : 0)
  }

  func follow(_ follower: Follower) { self.follower = follower }

  /// Settles it because of `source`, whose failure the follower takes.
  ///
  /// - Parameter isReplaced: whether it fails with another error.
  func settle(
    _ result: Result<Success, Failure>, because source: PromiseNode?,
    replacing isReplaced: Bool = false
  ) -> Bool {
    guard let source, source.hasFailed else { return settle(result) }
    source.answerFailure()
    guard seal() else { return false }
    if case .failure = result { answer(for: source, replacing: isReplaced) }
    publish(failed: write(result))
    return true
  }

  override func wasCancelled() { follower?.letGoSoon() }
}

extension PromiseNode {
  /// Whether it is to be cancelled when its last listener is.
  final var cancelsUnused: Bool { state.load(ordering: .relaxed) & Flag.cancelsUnused != 0 }
}
