internal import AsyncPatterns

/// The names of lanes: `main`, and `pool-1`, `pool-2` … in order of appearance, unless they have been given
/// others.
struct LaneNames {
  private var numbers: [Lane: Int] = [:]
  private var given: [Lane: String] = [:]
  private var last: Lane?

  /// In order of appearance.
  private(set) var all: [Lane] = []

  mutating func add(_ lane: Lane) {
    guard lane != last else { return }
    last = lane
    guard numbers[lane] == nil else { return }
    let hasMain = numbers[.main] != nil
    numbers[lane] = lane == .main ? 0 : all.count + (hasMain ? 0 : 1)
    all.append(lane)
  }

  /// Gives a lane a name of its own, as the threads of other programs have.
  mutating func name(_ lane: Lane, _ name: String) { given[lane] = name }

  func name(of lane: Lane) -> String {
    if let name = given[lane] { return name }
    return lane == .main ? "main" : "pool-\(numbers[lane] ?? Int(lane.number))"
  }
}

extension TraceEvent {
  private static let laneNameMark = "lane-name"

  /// Gives `lane` a name, before anything happens there.
  static func laneName(_ name: String, of lane: Lane, at time: Instant) -> TraceEvent {
    var event = TraceEvent.mark(laneNameMark, name, of: .none, at: time)
    event.lane = lane
    return event
  }

  var isLaneName: Bool {
    kind == .mark && span == .none && name == TraceEvent.laneNameMark && !detail.isEmpty
  }
}

/// When which lanes stood parked. A lane that is parked twice over is parked once.
struct BlockedLanes {
  struct Interval {
    let lane: Lane
    let node: Int?
    let from: Int64
    var to: Int64
    /// Where among all events it begins and ends.
    let position: Int
    let endPosition: Int
    /// Whether nobody has woken it.
    var isOpen = false

    var length: Int64 { to.subtractingClamped(from) }
  }

  /// By the time of their end.
  private(set) var intervals: [Interval] = []
  private var parked: [Lane: [(node: Int?, since: Int64, position: Int)]] = [:]

  /// On whose behalf lanes stand parked now, main left out.
  var parkedNow: [Int] {
    var nodes: [Int] = []
    for (lane, parkings) in parked where lane != .main { nodes += parkings.compactMap(\.node) }
    return Set(nodes).sorted()
  }

  mutating func park(_ lane: Lane, _ node: Int?, at time: Int64, _ position: Int) {
    parked[lane, default: []].append((node, time, position))
  }

  mutating func unpark(_ lane: Lane, _ node: Int?, at time: Int64, _ position: Int) {
    if let index = parked[lane]?.lastIndex(where: { $0.node == node }) {
      end(lane, index, at: time, position)
    } else if let other = parked.first(where: { $0.value.contains { $0.node == node } })?.key {
      // Somebody else's lane reported it.
      end(other, parked[other]?.lastIndex { $0.node == node } ?? 0, at: time, position)
    }
  }

  mutating func close(at end: Int64) {
    for lane in parked.keys.sorted() {
      while let last = parked[lane]?.indices.last { self.end(lane, last, at: end, nil) }
    }
    intervals.sort { ($0.from, $0.lane) < ($1.from, $1.lane) }
  }

  /// - Parameter position: where among all events that is; nil if nobody has woken it.
  private mutating func end(_ lane: Lane, _ index: Int, at time: Int64, _ position: Int?) {
    guard let parking = parked[lane]?.remove(at: index) else { return }
    // What lies inside another one is part of that.
    guard parked[lane]?.isEmpty ?? true else { return }
    intervals.append(
      Interval(
        lane: lane, node: parking.node, from: parking.since, to: max(time, parking.since),
        position: parking.position, endPosition: position ?? .max, isOpen: position == nil))
  }
}
