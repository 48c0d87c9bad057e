/// The steps that patterns have committed for the end of a run loop's turn, and whether the loop was woken for them.
///
/// They are taken from the roles of marks: a step was committed, the loop was woken, and the committed steps were
/// flushed.
struct Commits {
  struct Commit {
    let label: String
    let time: Int64
    let lane: Lane
    let position: Int
  }

  /// The commits of one pattern.
  struct Record {
    var commits: [Commit] = []
    var wasWoken = false
    /// The flushes, each with its position among all events.
    var flushes: [(position: Int, time: Int64)] = []
  }

  /// The commits of each pattern.
  private(set) var records: [Int: Record] = [:]

  mutating func note(_ mark: TraceEvent, of node: Int, at position: Int) {
    switch mark.role {
    case .committed:
      records[node, default: Record()].commits.append(
        Commit(
          label: mark.detail, time: mark.time.nanoseconds, lane: mark.lane, position: position))
    case .loopWoken: records[node, default: Record()].wasWoken = true
    case .flushed:
      records[node, default: Record()].flushes.append((position, mark.time.nanoseconds))
    default: break
    }
  }
}
