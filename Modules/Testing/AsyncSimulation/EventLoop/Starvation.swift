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
    let count = ready.pool.count
    guard let trace, workers.freeCount == 0, count > 0 else { return }
    let old = starvation.lastStamp
    starvation.lastStamp = max(old, ready.pool[count - 1].sequence)
    let known = (0..<count).last { ready.pool[$0].sequence <= old } ?? -1
    for index in known + 1..<count {
      guard let span = ready.pool[index].element.span, starvation.reported.insert(span).inserted
      else { continue }
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
    case .job(let job): return job.span
    case .strand(let strand):
      for index in strand.jobs.indices {
        if let span = strand.jobs[index].span { return span }
      }
      return nil
    case .occupation(let occupation):
      return occupation.cancellation.isCancelled ? nil : occupation.span
    }
  }
}

extension QueuedJob {
  /// The span that the job runs for; nil if it was cancelled.
  var span: Span? {
    switch self {
    case .job(let job): job.span
    case .timer(let timer): timer.job?.span
    case .task: Span.none
    }
  }
}
