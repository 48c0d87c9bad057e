internal import AsyncRuntime
internal import DequeModule

/// What is to be done for the layers of a renderer on its loop: first in, first out, and one hop for all that comes
/// before the loop does.
///
/// What can wait does so until something comes that cannot, or comes when the interval since the loop came last is
/// over: that makes the hop for all. Where nothing comes, a timer makes it. One that fires wakes two threads before the
/// loop's own, which takes as long as a quarter of a small drawing: so it is set for later. As a rule others are
/// faster, and then it stays for what comes next.
final class LoopQueue: Sendable {
  private struct State: Sendable {
    var jobs: Deque<Job> = []
    /// Whether the loop is on its way.
    var isScheduled = false
    /// Whether a timer is on its way.
    var isTimed = false
    /// When the loop came last for something.
    var last: Instant?
  }

  private enum Hop {
    case none, now
    case later(Duration)
  }

  let loop: any RunLoopScheduler
  /// Nil: nothing waits.
  let interval: Duration?
  /// How many intervals something waits at most.
  static let patience = 4
  private let state = Locked(State())

  init(on loop: any RunLoopScheduler, interval: Duration?) {
    self.loop = loop
    self.interval = interval
  }

  /// Runs `body` on the loop.
  ///
  /// - Parameter canWait: whether it may wait for what comes after the interval since the loop came last.
  func schedule(canWait: Bool = false, _ body: @escaping @Sendable () -> Void) {
    let job = Job(body)
    let now = canWait && interval != nil ? loop.now : nil
    let hop = state.withLock { state -> Hop in
      state.jobs.append(job)
      if state.isScheduled { return .none }
      if let now, let interval, let last = state.last, now < last.advanced(by: interval) {
        if state.isTimed { return .none }
        state.isTimed = true
        return .later(now.duration(to: last.advanced(by: interval * Self.patience)))
      }
      state.isScheduled = true
      return .now
    }
    switch hop {
    case .none: return
    case .now: loop.schedule { [self] in run(\.isScheduled) }
    case .later(let delay): loop.schedule(after: delay) { [self] in run(\.isTimed) }
    }
  }

  /// Nothing that waits is to wait any longer.
  func flush() {
    let isDue = state.withLock { state in
      guard !state.isScheduled, !state.jobs.isEmpty else { return false }
      state.isScheduled = true
      return true
    }
    if isDue { loop.schedule { [self] in run(\.isScheduled) } }
  }

  /// Runs what is there by now. What comes meanwhile makes a hop of its own, so that others have their turn.
  private func run(_ hop: any WritableKeyPath<State, Bool> & Sendable) {
    let now = interval == nil ? nil : loop.now
    var count = state.withLock { state in
      state[keyPath: hop] = false
      if !state.jobs.isEmpty { state.last = now }
      return state.jobs.count
    }
    // One by one: who runs the loop from within one of them finds the others.
    while count > 0, let job = state.withLock({ $0.jobs.popFirst() }) {
      count -= 1
      job.run()
    }
  }
}
