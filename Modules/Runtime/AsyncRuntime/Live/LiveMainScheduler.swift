internal import Dispatch
internal import Synchronization

/// The main queue, which the run loop of the main thread serves.
struct LiveMainScheduler: RunLoopScheduler {
  private static let key: DispatchSpecificKey<Void> = {
    let key = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: key, value: ())
    return key
  }()

  /// Whether the calling code occupies the main queue. This includes code of the main actor when
  /// a thread other than the main one serves the queue.
  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) != nil }

  /// How many jobs of traced runs wait for the main lane or run on it.
  private static let jobCount = Atomic(0)

  /// Records which jobs waited for the main lane.
  private let trace: (any TraceSink)?

  init(trace: (any TraceSink)? = nil) { self.trace = trace }

  var now: Instant { LiveClock.now }

  func schedule(_ job: @escaping @Sendable () -> Void) {
    guard let due = DueTime.live(on: self, trace: trace) else { return schedule(Job(job), nil) }
    schedule(Job(due.hopped(job)), due)
  }

  func schedule(
    after delay: Duration, _ job: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let due = DueTime.live(after: delay, on: self, trace: trace)
    let job = if let due { Job(due.timed(job)) } else { Job(job) }
    return LiveTimer(after: delay, job) { schedule($0, due) }
  }

  private func schedule(_ job: Job, _ due: DueTime?) {
    guard trace != nil else { return DispatchQueue.main.async { job.runOnMain() } }
    if Self.jobCount.add(1, ordering: .relaxed).oldValue > 0 { due?.noteHeld() }
    DispatchQueue.main.async {
      job.runOnMain()
      Self.jobCount.subtract(1, ordering: .relaxed)
    }
  }

  var isCurrent: Bool { Self.isCurrent || LaneContext.current.lane == .main }

  func atEndOfTurn(
    order: Int, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let job = Job(action)
    return MainRunLoop.shared.atEndOfTurn(order: order) { job.runOnMain() }
  }

  func wake() { MainRunLoop.shared.wake() }
}

extension Job {
  /// Runs the job on the main lane. This need not be the main thread: without a run loop, Dispatch
  /// serves the main queue from any thread.
  func runOnMain() {
    let context = LaneContext.current
    let outer = context.lane
    context.lane = .main
    run()
    context.lane = outer
  }
}
