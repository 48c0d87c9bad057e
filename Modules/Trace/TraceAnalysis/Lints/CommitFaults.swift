/// A commit for which nothing woke the run loop, or that was lost.
struct CommitFault {
  enum Kind {
    /// No flush has happened since the commit, and the step has not started. If the pattern was cancelled,
    /// `cancelledAfter` is the time from the commit to the cancellation.
    case neverFlushed(cancelledAfter: Int64?)
    /// The commit was performed this many nanoseconds late, when something else made the loop take a turn.
    case late(nanoseconds: Int64)
    /// A later flush did not contain the commit.
    case lost(flushedAt: Int64)
  }

  let step: Int
  let commit: Commits.Commit
  let kind: Kind

  /// Whether a later flush could still perform the commit, so that there is no fault.
  var mayBeToCome: Bool {
    if case .neverFlushed(nil) = kind { true } else { false }
  }
}

extension SpanTable {
  /// The nanoseconds that a woken run loop needs to reach the end of its turn.
  private static let turn: Int64 = 1_000_000

  /// The faults of commits, in the order in which their patterns were submitted.
  ///
  /// - Complexity: O(n) in the number of steps of those patterns.
  var commitFaults: [CommitFault] {
    commits.records.sorted { $0.key < $1.key }.flatMap { pattern, record in
      // A pattern that wakes the loop itself loses no commit. Such a pattern may have reasons to delay a commit.
      record.wasWoken ? [] : faults(of: record, in: pattern)
    }
  }

  private func faults(of record: Commits.Record, in pattern: Int) -> [CommitFault] {
    let steps = partsByLabel(of: pattern)
    let end = finishTime(of: pattern)
    return record.commits.compactMap { commit in
      guard let step = steps[commit.label] else { return nil }
      let kind =
        switch end == nil ? nil : nodes[pattern].outcome {
        case nil: kind(of: commit, step, record, hasEnded: false)
        // Among several equal steps, the recorded one may not be the one that starts. Steps that have not started when
        // the pattern succeeds are therefore no faults.
        case .success: kind(of: commit, step, record, hasEnded: true)
        case .cancelled: end.flatMap { waitedInVain(commit, step, record, until: $0) }
        case .failure: CommitFault.Kind?.none
        }
      guard let kind else { return nil }
      return CommitFault(step: step, commit: commit, kind: kind)
    }
  }

  private func kind(
    of commit: Commits.Commit, _ step: Int, _ record: Commits.Record, hasEnded: Bool
  ) -> CommitFault.Kind? {
    let flush = record.flushes.first { $0.position > commit.position }
    if let started = startTime(of: step) {
      // If a job on the main lane makes a commit, that job ends the turn itself.
      guard commit.lane != .main, let flush, flush.time - commit.time >= Self.turn,
        started >= flush.time
      else { return nil }
      return .late(nanoseconds: flush.time - commit.time)
    }
    if hasEnded { return nil }
    return flush.map { .lost(flushedAt: $0.time) } ?? .neverFlushed(cancelledAfter: nil)
  }

  /// The fault of a commit in a cancelled pattern: the loop had enough time for a turn and took none.
  private func waitedInVain(
    _ commit: Commits.Commit, _ step: Int, _ record: Commits.Record, until end: Int64
  ) -> CommitFault.Kind? {
    let wait = end - commit.time
    guard !hasStarted(step), wait >= Self.turn,
      !record.flushes.contains(where: { $0.position > commit.position })
    else { return nil }
    return .neverFlushed(cancelledAfter: wait)
  }
}
