import AsyncPatterns

/// A virtual worker that is held for a time, without a thread, before a job runs on it.
final class Occupation: @unchecked Sendable {
  // Safe to share: the mutable state is touched by the holder of the baton only.
  enum Phase { case queued, occupying, over }

  let activity: WorkerActivity
  let duration: Duration
  let cancellation: Cancellation
  private(set) var beginning: Job
  private(set) var job: Job
  let span: Span
  /// When it was asked for.
  let ready: Instant

  var phase = Phase.queued
  var worker: UInt32 = 0
  var start = Instant.zero
  /// The chain of jobs it goes on with.
  var chain: UInt32 = 0
  var registration: Cancellation.Registration?

  init(
    _ activity: WorkerActivity, for duration: Duration, unless cancellation: Cancellation,
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
  /// It has waited for its worker. One that is cancelled by now does not begin, and its job ends the step.
  func noteWait(_ wait: LaneWait) {
    if cancellation.isCancelled {
      job = job.waiting(wait)
    } else {
      beginning = beginning.waiting(wait)
    }
  }

  /// Its time will never be up.
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

  /// How it waited for the worker that it has got now.
  private func wait(of occupation: Occupation) -> LaneWait? {
    guard trace != nil, occupation.ready < now else { return nil }
    let holder = holders.holder(of: Place(lane: occupation.worker), at: now)
    return LaneWait(ready: occupation.ready, holder: holder)
  }

  private func endEarly(_ occupation: Occupation) {
    guard occupation.phase == .occupying else { return }
    occupation.phase = .over
    timers.didCallOff()
    ready.resume(.occupation(occupation), chain: occupation.chain)
  }

  /// Where its job runs, now that its time is up.
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
