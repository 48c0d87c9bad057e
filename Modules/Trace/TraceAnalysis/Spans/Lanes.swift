/// The names of lanes: `main`, and `pool-1`, `pool-2` … in order of appearance, unless they were given other names.
package struct LaneNames {
  /// The position of each lane in `all`.
  private var positions: [Lane: Int] = [:]
  /// The names of the lanes, in the order of `all`.
  private var names: [String] = []
  private var given: [Lane: String] = [:]
  private var last: Lane?

  /// The lanes in order of appearance.
  package private(set) var all: [Lane] = []

  mutating func add(_ lane: Lane) {
    guard lane != last else { return }
    last = lane
    guard position(of: lane) == nil else { return }
    let hasMain = position(of: .main) != nil
    positions[lane] = all.count
    names.append(lane == .main ? "main" : "pool-\(all.count + (hasMain ? 0 : 1))")
    all.append(lane)
  }

  /// Gives a lane a name of its own. Threads of other programs have such names.
  mutating func name(_ lane: Lane, _ name: String) { given[lane] = name }

  package func name(of lane: Lane) -> String {
    if !given.isEmpty, let name = given[lane] { return name }
    if let position = position(of: lane) { return names[position] }
    return lane == .main ? "main" : "pool-\(lane.number)"
  }

  /// Most runs have few lanes: comparing them is then faster than hashing.
  private func position(of lane: Lane) -> Int? {
    all.count <= 16 ? all.firstIndex(of: lane) : positions[lane]
  }
}

extension TraceEvent {
  /// An event that gives `lane` a name. It must come before all other events of the lane.
  package static func laneName(_ name: String, of lane: Lane, at time: Instant) -> TraceEvent {
    var event = TraceEvent.mark("lane-name", name, role: .laneName, of: .none, at: time)
    event.lane = lane
    return event
  }

  package var isLaneName: Bool {
    kind == .mark && span == .none && role == .laneName && !detail.isEmpty
  }
}

/// A time in which a lane was blocked for a span, or in which a span was suspended, was delayed by a timer, or waited
/// for its lane.
package struct LaneInterval: Sendable {
  package let node: Int?
  package let lane: Lane
  package let from: Int64
  package let to: Int64
  /// The span that ended the interval, if one did: it woke the lane, or released it.
  package var ender: Int?
  /// Whether it lasted to the end of the run.
  var isOpen = false
  /// The position of the call that blocked the lane, among those of `BlockedLanes`.
  var call = CompactOptional<Int32>()

  var length: Int64 { to.subtractingClamped(from) }
}

/// When lanes were blocked. A lane that is blocked for two spans at the same time counts as blocked once.
package struct BlockedLanes {
  /// The intervals, ordered by their ends. After `close(at:)`, they are ordered by their starts.
  package private(set) var intervals: [LaneInterval] = []
  private var blocked: [Lane: [(node: Int?, since: Int64, call: CompactOptional<Int32>)]] = [:]
  /// The calls that blocked lanes, such as “in usleep”, each once.
  private var calls: [String] = []
  private var positions: [String: Int] = [:]

  /// The call that blocked the lane, such as “in usleep”. Nil if it is not known.
  package func call(of interval: LaneInterval) -> String? {
    interval.call.position.map { calls[$0] }
  }

  /// The spans for which lanes are blocked now, without the main lane.
  var blockedNow: [Int] {
    var nodes: [Int] = []
    for (lane, blockages) in blocked where lane != .main { nodes += blockages.compactMap(\.node) }
    return Set(nodes).sorted()
  }

  /// - Parameter call: empty if it is not known.
  mutating func block(_ lane: Lane, _ node: Int?, at time: Int64, _ call: String) {
    var position = CompactOptional<Int32>()
    if !call.isEmpty {
      position.position = positions[call] ?? calls.count
      if positions.updateValue(position.position ?? 0, forKey: call) == nil { calls.append(call) }
    }
    blocked[lane, default: []].append((node, time, position))
  }

  /// - Returns: since when the lane was blocked, if it was.
  mutating func unblock(_ lane: Lane, _ node: Int?, at time: Int64, by waker: Int?) -> Int64? {
    var lane = lane
    if blocked[lane]?.contains(where: { $0.node == node }) != true {
      // Another lane reported the wake-up. If several lanes are blocked for the node, the smallest one is used, so that
      // the result is the same in each process.
      let lanes = blocked.filter { $0.value.contains { $0.node == node } }.keys
      guard let other = lanes.min() else { return nil }
      lane = other
    }
    guard let index = blocked[lane]?.lastIndex(where: { $0.node == node }) else { return nil }
    return end(lane, index, at: time, by: waker)
  }

  mutating func close(at end: Int64) {
    for lane in blocked.keys.sorted() {
      while let last = blocked[lane]?.indices.last { self.end(lane, last, at: end, isOpen: true) }
    }
    intervals.sort { ($0.from, $0.lane) < ($1.from, $1.lane) }
  }

  /// - Returns: since when it was blocked.
  @discardableResult
  private mutating func end(
    _ lane: Lane, _ index: Int, at time: Int64, by waker: Int? = nil, isOpen: Bool = false
  ) -> Int64? {
    guard let (node, since, call) = blocked[lane]?.remove(at: index) else { return nil }
    // An interval inside another one is part of that one.
    guard blocked[lane]?.isEmpty ?? true else { return since }
    intervals.append(
      LaneInterval(
        node: node, lane: lane, from: since, to: max(time, since), ender: waker, isOpen: isOpen,
        call: call))
    return since
  }
}
