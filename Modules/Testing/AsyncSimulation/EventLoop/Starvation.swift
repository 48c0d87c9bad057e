import AsyncPatterns

/// Steps that were ready while all workers were held, some of the workers by blocked jobs.
struct Starvation {
  /// The stamp up to which the queue of the pool has been examined.
  var lastStamp: UInt64 = 0
  /// The spans whose jobs have been reported.
  var reported: Set<Span> = []
}

extension EventLoop {
  /// Reports the steps that are ready for the pool although the clock is about to advance. Each step is reported once.
  ///
  /// - Complexity: linear in the number of jobs that have become ready since the last call.
  func noteStarvation() {
    guard let trace, workers.freeCount == 0, let newest = ready.pool.last?.sequence,
      newest > starvation.lastStamp
    else { return }
    let old = starvation.lastStamp
    starvation.lastStamp = newest
    let late = ready.pool.reversed().prefix { $0.sequence > old }.reversed()
    for entry in late {
      guard let span = entry.element.span, starvation.reported.insert(span).inserted else {
        continue
      }
      // Recorded on a lane that is held, because a lane without other events would count as another thread.
      onLane(Lane(number: 1)) {
        trace.record(
          .misuse(
            "starvation",
            "was ready and found no worker: all \(workers.count) were held, \(workers.blockedCount) "
              + "of them blocked", of: span, at: now))
      }
    }
  }
}

extension ReadyQueues.PoolEntry {
  /// The span that the entry runs for; nil if it was cancelled.
  var span: Span? {
    switch self {
    case .job(let job): job.span
    case .strand(let strand): strand.jobs.lazy.compactMap(\.span).first
    case .occupation(let occupation): occupation.cancellation.isCancelled ? nil : occupation.span
    }
  }
}

extension QueuedJob {
  /// The span that the job runs for; nil if it was cancelled.
  var span: Span? {
    switch self {
    case .job(let job): job.span
    case .timer(let timer): timer.job?.span
    }
  }
}
