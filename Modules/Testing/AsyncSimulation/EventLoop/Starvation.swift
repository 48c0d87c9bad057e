import AsyncPatterns

/// Who has been ready and found all workers held, some of them by jobs that only wait.
struct Starvation {
  /// Up to which stamp the queue of the pool has been looked through.
  var lastStamp: UInt64 = 0
  /// Whose jobs have been reported.
  var reported: Set<Span> = []
}

extension EventLoop {
  /// Reports, once a step, what is ready for the pool now that the clock is about to move on.
  ///
  /// - Complexity: linear in the number of jobs that have become ready since the last time.
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
      // On a lane that is held, since one that did nothing else would count as a thread.
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
  /// On whose behalf it runs; nil if it has been called off.
  var span: Span? {
    switch self {
    case .job(let job): job.span
    case .strand(let strand): strand.jobs.lazy.compactMap(\.span).first
    case .occupation(let occupation): occupation.cancellation.isCancelled ? nil : occupation.span
    }
  }
}

extension QueuedJob {
  /// On whose behalf it runs; nil if it has been called off.
  var span: Span? {
    switch self {
    case .job(let job): job.span
    case .timer(let timer): timer.job?.span
    }
  }
}
