/// A commit for which nothing woke the run loop, or that got lost on its way.
struct CommitFault {
  enum Kind {
    /// Nothing has been flushed since, and the step has not started; the pattern was called off so much later, if it
    /// was.
    case neverFlushed(calledOffAfter: Int64?)
    /// It was performed when something else had the loop take a turn, so much later.
    case late(nanoseconds: Int64)
    /// Something was flushed later, and it was not among it.
    case lost(flushedAt: Int64)
  }

  let step: Int
  let commit: Commits.Commit
  let kind: Kind

  /// Whether nothing is wrong if something is flushed yet.
  var mayBeToCome: Bool {
    if case .neverFlushed(nil) = kind { true } else { false }
  }
}

extension SpanTable {
  /// Nanoseconds in which a run loop that has been woken comes to the end of its turn.
  private static let turn: Int64 = 1_000_000

  /// What went wrong with commits, in the order in which their patterns were submitted.
  ///
  /// - Complexity: O(n) in the number of the steps of those patterns.
  var commitFaults: [CommitFault] {
    commits.records.sorted { $0.key < $1.key }.flatMap { pattern, record in
      // Who wakes the loop loses nothing, and may have reasons to let something wait.
      record.wasWoken ? [] : faults(of: record, in: pattern)
    }
  }

  private func faults(of record: Commits.Record, in pattern: Int) -> [CommitFault] {
    let steps = partsByLabel(of: pattern)
    let end = nodes[pattern].finished
    return record.commits.compactMap { commit in
      guard let step = steps[commit.label] else { return nil }
      let kind =
        switch end == nil ? nil : nodes[pattern].outcome {
        case nil: kind(of: commit, nodes[step], record, isOver: false)
        // Which of several equal ones starts nobody knows: those that have ended with it are no faults.
        case .success: kind(of: commit, nodes[step], record, isOver: true)
        case .cancelled: end.flatMap { waitedInVain(commit, nodes[step], record, until: $0) }
        case .failure: CommitFault.Kind?.none
        }
      guard let kind else { return nil }
      return CommitFault(step: step, commit: commit, kind: kind)
    }
  }

  private func kind(
    of commit: Commits.Commit, _ step: Node, _ record: Commits.Record, isOver: Bool
  ) -> CommitFault.Kind? {
    let flush = record.flushes.first { $0.position > commit.position }
    if let started = step.started {
      // The job of main that commits ends its turn itself.
      guard commit.lane != .main, let flush, flush.time - commit.time >= Self.turn,
        started >= flush.time
      else { return nil }
      return .late(nanoseconds: flush.time - commit.time)
    }
    if isOver { return nil }
    return flush.map { .lost(flushedAt: $0.time) } ?? .neverFlushed(calledOffAfter: nil)
  }

  /// What a pattern has to do with it that was called off: a turn has had the time to come, and has not.
  private func waitedInVain(
    _ commit: Commits.Commit, _ step: Node, _ record: Commits.Record, until end: Int64
  ) -> CommitFault.Kind? {
    let wait = end - commit.time
    guard step.started == nil, wait >= Self.turn,
      !record.flushes.contains(where: { $0.position > commit.position })
    else { return nil }
    return .neverFlushed(calledOffAfter: wait)
  }
}
