internal import AsyncRuntime
internal import DequeModule

/// Work for the layers of a renderer on its run loop: first in, first out. All jobs that arrive before the loop runs
/// them share one hop.
///
/// A job that can wait is delayed until another job makes the hop for both. That job either cannot
/// wait, or arrives more than `interval` after the loop last ran something. If there is no such
/// job, a timer makes the hop. A timer that fires wakes two threads before the loop's own, which
/// takes as long as a quarter of a small drawing. So the timer fires only `patience` intervals after
/// the loop last ran something. Usually another job comes first, and the timer then serves the jobs
/// that follow.
final class LoopQueue: Sendable {
  private struct State: Sendable {
    var jobs: Deque<Job> = []
    /// Whether a hop to the loop is pending.
    var isScheduled = false
    /// Whether a timer is pending.
    var isTimed = false
    /// When the loop last ran jobs.
    var last: Instant?
  }

  private enum Hop {
    case none, now
    case later(Duration)
  }

  let loop: any RunLoopScheduler
  /// Nil if no job is delayed.
  let interval: Duration?
  /// The longest delay of a job, in intervals.
  static let patience = 4
  private let state = Locked(State())

  init(on loop: any RunLoopScheduler, interval: Duration?) {
    self.loop = loop
    self.interval = interval
  }

  /// Runs `body` on the loop.
  ///
  /// - Parameter canWait: whether the job may be delayed as described above.
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

  /// Ends the delay of all queued jobs.
  func flush() {
    let isDue = state.withLock { state in
      guard !state.isScheduled, !state.jobs.isEmpty else { return false }
      state.isScheduled = true
      return true
    }
    if isDue { loop.schedule { [self] in run(\.isScheduled) } }
  }

  /// Runs the jobs that are queued now. Jobs that arrive meanwhile make their own hop, so that
  /// other work of the loop gets its turn.
  private func run(_ hop: any WritableKeyPath<State, Bool> & Sendable) {
    let now = interval == nil ? nil : loop.now
    var count = state.withLock { state in
      state[keyPath: hop] = false
      if !state.jobs.isEmpty { state.last = now }
      return state.jobs.count
    }
    // Removes jobs one by one: a job that runs the loop itself must find the remaining ones.
    while count > 0, let job = state.withLock({ $0.jobs.popFirst() }) {
      count -= 1
      job.run()
    }
  }
}
