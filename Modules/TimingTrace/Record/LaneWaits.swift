internal import AsyncPatterns

/// When spans waited for lanes, though their time was up.
struct LaneWaits {
  struct Wait {
    let node: Int
    let lane: Lane
    /// When it was to go on.
    var from: Int64
    /// When the lane was free for it.
    let to: Int64
    /// Where among all events that was told.
    let position: Int

    var length: Int64 { to.subtractingClamped(from) }
  }

  /// By the time of their end.
  private(set) var all: [Wait] = []
  /// The last one of each node.
  private var last: [Int: Int] = [:]
  /// The last one for each lane.
  private var lastOn: [Lane: Int] = [:]
  /// Of displays, from when they were asked for until they began, at the end of a turn of the lane.
  private var ofDisplays: [Int: Wait] = [:]

  /// What `event` tells, which says that `node` waited.
  ///
  /// - Parameter started: when that started; it has waited no longer.
  mutating func add(_ event: TraceEvent, of node: Int, since started: Int64, at position: Int) {
    let time = event.time.nanoseconds
    let length = max(Int64(exactly: event.number.rounded()) ?? 0, 0)
    last[node] = all.count
    lastOn[event.lane] = all.count
    all.append(
      Wait(
        node: node, lane: event.lane,
        from: max(time.subtractingClamped(length), min(started, time)),
        to: time, position: position))
  }

  /// What `mark` tells, which says that a display of `pattern` begins that was asked for before.
  mutating func add(
    _ mark: TraceEvent, of display: Int, in pattern: Int, since asked: Int64, at position: Int
  ) {
    let time = mark.time.nanoseconds
    guard asked < time else { return }
    ofDisplays[display] = Wait(
      node: pattern, lane: mark.lane, from: asked, to: time, position: position)
  }

  /// How a display waited for the end of a turn.
  func ofDisplay(_ node: Int) -> Wait? { ofDisplays.isEmpty ? nil : ofDisplays[node] }

  /// The last wait of a node so far.
  func last(of node: Int) -> Int? { all.isEmpty ? nil : last[node] }

  /// The last wait for a lane so far.
  func last(on lane: Lane) -> Int? { all.isEmpty ? nil : lastOn[lane] }

  /// The last wait of a node for another lane than one, that was over at a time, or not much before; nil if very many more
  /// were over since.
  ///
  /// - Complexity: O(log n).
  func last(of node: Int, butOn lane: Lane, over time: Int64, limit: Int64) -> Wait? {
    let end = all.firstIndexBeyond { $0.to > time }
    return all[..<end].suffix(Self.mostTogether).last {
      $0.node == node && $0.lane != lane && time.subtractingClamped($0.to) <= limit
    }
  }

  /// How many that were over together are looked at.
  private static let mostTogether = 64

  /// The one that was over last; the other one of two that were over together.
  func later(of one: Int?, _ other: Int?) -> Int? {
    guard let one, let other else { return one ?? other }
    return all[one].to > all[other].to ? one : other
  }
}
