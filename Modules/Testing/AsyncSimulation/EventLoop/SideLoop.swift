import AsyncPatterns
internal import DequeModule

/// A run loop beside the main one: a lane of its own, its jobs, and what it does at the end of its turns.
///
/// It stands among what is ready while it has something to run.
final class SideLoop: @unchecked Sendable {
  // Safe to share: touched by the holder of the baton only.
  let label: String
  let lane: UInt32
  var jobs: Deque<ReadyQueues.Ready<QueuedJob>> = []
  /// Since when it has nothing more to do in this turn, if it is in one.
  var turnEnd: UInt64?
  /// Whether no job of it stands parked.
  var isFree = true
  /// Whether it stands among what is ready.
  var isListed = false
  var endOfTurnActions: [EndOfTurnAction] = []

  init(label: String, lane: UInt32) {
    self.label = label
    self.lane = lane
  }

  /// None of them is to run: most of what uses it holds it.
  func forgetJobs() {
    for job in jobs { job.element.forget() }
    jobs = []
  }

  /// When what it does next became ready.
  var stamp: UInt64 { isFree ? jobs.first?.sequence ?? turnEnd ?? .max : .max }
}

extension ReadyQueues {
  mutating func append(_ job: QueuedJob, to side: SideLoop, chain: UInt32) {
    side.jobs.append(Ready(sequence: stamp(), chain: chain, element: job))
    list(side)
  }

  /// The turn of that loop ends here, unless more comes before.
  mutating func markTurnEnd(of side: SideLoop) {
    side.turnEnd = stamp()
    list(side)
  }

  private mutating func list(_ side: SideLoop) {
    guard !side.isListed else { return }
    side.isListed = true
    sides.append(side)
  }

  /// Takes out what that loop does next.
  mutating func takeNext(of side: SideLoop) -> Candidate {
    let ready = side.jobs.popFirst()
    if ready == nil { side.turnEnd = nil }
    if side.jobs.isEmpty, side.turnEnd == nil {
      side.isListed = false
      sides.removeAll { $0 === side }
    }
    return Candidate(chain: ready?.chain ?? 0, pick: .side(side, ready?.element))
  }
}

extension EventLoop {
  /// That loop is about to wait, whatever it waits for.
  func beginTurn(of side: SideLoop) {
    if !side.endOfTurnActions.isEmpty, side.turnEnd == nil { ready.markTurnEnd(of: side) }
  }
}
