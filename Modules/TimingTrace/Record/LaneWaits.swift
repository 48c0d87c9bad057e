internal import AsyncPatterns

/// When spans waited for lanes, though their time was up.
struct LaneWaits {
  struct Wait {
    let node: Int
    let lane: Lane
    /// When it was to go on.
    let from: Int64
    /// When the lane was free for it.
    let to: Int64
    /// Where among all events that was told.
    let position: Int

    var length: Int64 { to.subtractingClamped(from) }
  }

  /// By the time of their end.
  private(set) var all: [Wait] = []
  /// What the code that runs on a lane began with, until the lane is seen to do something else.
  private var running: [Lane: Int] = [:]

  /// What `event` tells, which says that `node` waited.
  mutating func add(_ event: TraceEvent, of node: Int, at position: Int) {
    let time = event.time.nanoseconds
    let length = max(Int64(exactly: event.number.rounded()) ?? 0, 0)
    running[event.lane] = all.count
    all.append(
      Wait(
        node: node, lane: event.lane, from: time.subtractingClamped(length), to: time,
        position: position))
  }

  /// The lane works, or stands parked, or starts something, on behalf of `node`.
  ///
  /// - Complexity: O(1), and next to nothing where nothing has waited.
  mutating func use(_ lane: Lane, by node: Int?) {
    guard !all.isEmpty, let index = running[lane], all[index].node != node else { return }
    running[lane] = nil
  }

  /// The wait with which the code on a lane began, if that was the node's.
  func current(on lane: Lane, of node: Int) -> Int? {
    guard !all.isEmpty, let index = running[lane], all[index].node == node else { return nil }
    return index
  }
}
