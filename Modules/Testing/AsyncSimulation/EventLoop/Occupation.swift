import AsyncPatterns

/// A virtual worker that is held for a time, without a thread, before a job runs on it.
final class Occupation: @unchecked Sendable {
  // Safe to share: only the holder of the baton touches the mutable state.
  enum Phase { case queued, occupying, finished }

  let activity: WorkerActivity
  let duration: Duration
  let cancellation: Cancellation
  private(set) var beginning: Job
  private(set) var job: Job
  let span: Span
  /// When the occupation was requested.
  let ready: Instant

  var phase = Phase.queued
  var worker: UInt32 = 0
  var start = Instant.zero
  /// The chain of jobs that it continues.
  var chain: UInt32 = 0
  var registration: Cancellation.Registration?

  init(
    _ activity: WorkerActivity, for duration: Duration, cancellation: Cancellation,
    begin beginning: Job, then job: Job, at now: Instant
  ) {
    self.activity = activity
    self.duration = duration
    self.cancellation = cancellation
    self.beginning = beginning
    self.job = job
    span = LaneContext.current.span
    ready = now
  }
}

extension Occupation {
  /// Notes how the occupation waited for its worker. If it is cancelled by now, it does not start, and its job ends the
  /// step.
  func noteWait(_ wait: LaneWait) {
    if cancellation.isCancelled {
      job = job.waiting(wait)
    } else {
      beginning = beginning.waiting(wait)
    }
  }

  /// Stops observing the cancellation, since the occupation's time will never pass.
  func disown() { registration?.dispose() }
}

extension EventLoop {
  func begin(_ occupation: Occupation) {
    guard let worker = workers.takeFirst() else { return }
    occupation.worker = worker
    occupation.start = now
    occupation.phase = .occupying
    onLane(Lane(number: worker)) {
      if let wait = wait(of: occupation) { occupation.noteWait(wait) }
      if !occupation.cancellation.isCancelled { occupation.beginning.run() }
      if occupation.activity == .blocking {
        workers.blockedCount += 1
        trace?.record(.blocked(occupation.span, at: now))
      }
    }
    occupation.chain = chains.next()
    timers.add(
      .occupation(occupation), at: now.advanced(by: max(occupation.duration, .zero)),
      chain: occupation.chain)
    occupation.registration = occupation.cancellation.onCancel { [self] in
      perform { $0.endEarly(occupation) }
    }
  }

  /// How the occupation waited for the worker that it has now.
  private func wait(of occupation: Occupation) -> LaneWait? {
    guard trace != nil, occupation.ready < now else { return nil }
    let holder = holders.holder(of: Place(lane: occupation.worker), at: now)
    return LaneWait(ready: occupation.ready, holder: holder)
  }

  private func endEarly(_ occupation: Occupation) {
    guard occupation.phase == .occupying else { return }
    occupation.phase = .finished
    timers.didCancel()
    ready.resume(.occupation(occupation), chain: occupation.chain)
  }

  /// Ends the occupation, after its time has passed or it was cancelled.
  ///
  /// - Returns: the place where its job runs.
  func end(_ occupation: Occupation) -> Place {
    occupation.registration?.dispose()
    if occupation.activity == .blocking { workers.blockedCount -= 1 }
    if let trace {
      onLane(Lane(number: occupation.worker)) {
        switch occupation.activity {
        case .working:
          let time = occupation.start.duration(to: now)
          trace.record(.worked(occupation.span, for: time, at: now))
        case .blocking:
          let cause = occupation.cancellation.cause ?? Cause(.timer, occupation.span)
          trace.record(.unblocked(occupation.span, because: cause, at: now))
        }
        if occupation.start < now {
          holders.note(occupation.span, on: occupation.worker, at: now)
        }
      }
    }
    return Place(lane: occupation.worker, isHeld: true)
  }
}
