import AsyncPatterns
internal import DequeModule

/// A run loop other than the main one: a lane of its own, its jobs, and its actions for the end of a turn.
///
/// It is listed among the ready run loops while it has something to run.
final class SideLoop: @unchecked Sendable {
  // Safe to share: only the holder of the baton touches it.
  let label: String
  let lane: UInt32
  var jobs = UniqueDeque<ReadyQueues.Ready<QueuedJob>>()
  /// When it ran out of work in this turn, as a stamp; nil if it is in no turn.
  var turnEnd: UInt64?
  /// Whether none of its jobs is blocked.
  var isFree = true
  /// Whether it is listed among the ready run loops.
  var isListed = false
  var endOfTurnActions: [EndOfTurnAction] = []

  init(label: String, lane: UInt32) {
    self.label = label
    self.lane = lane
  }

  /// Drops its jobs, so that none runs. This breaks reference cycles, since most jobs hold the run loop.
  func forgetJobs() {
    for index in jobs.indices { jobs[index].element.forget() }
    jobs.removeAll()
  }

  /// The stamp of what it does next; `.max` if that is nothing.
  var stamp: UInt64 {
    if !isFree { return .max }
    return jobs.isEmpty ? turnEnd ?? .max : jobs[0].sequence
  }
}

extension ReadyQueues {
  mutating func append(_ job: consuming QueuedJob, to side: SideLoop, chain: UInt32) {
    side.jobs.append(Ready(sequence: stamp(), chain: chain, element: job))
    list(side)
  }

  /// Gives the end of that loop's turn its place in the order, behind everything that is ready now. The turn ends
  /// there, unless more work comes first.
  mutating func markTurnEnd(of side: SideLoop) {
    side.turnEnd = stamp()
    list(side)
  }

  private mutating func list(_ side: SideLoop) {
    guard !side.isListed else { return }
    side.isListed = true
    sides.append(side)
  }

  /// Takes out the first job of that loop. Without a job, its turn ends.
  mutating func take(of side: SideLoop) -> QueuedJob? {
    defer {
      if side.jobs.isEmpty, side.turnEnd == nil {
        side.isListed = false
        sides.removeAll { $0 === side }
      }
    }
    guard side.jobs.isEmpty else { return side.jobs.removeFirst().element }
    side.turnEnd = nil
    return nil
  }
}

extension EventLoop {
  /// Starts a turn of that loop and marks its end, unless the loop is already at the end of a turn. Without actions for
  /// the end of a turn, it does nothing.
  func beginTurn(of side: SideLoop) {
    if !side.endOfTurnActions.isEmpty, side.turnEnd == nil { ready.markTurnEnd(of: side) }
  }
}
