/// How a lane was used during the whole run.
public struct LaneUse: Sendable, Hashable {
  public var lane: String
  /// How long it was held with `work`, in nanoseconds. Other code on the lane, such as the body of a closure, counts as
  /// idle: the trace does not record it.
  public var work: Int64
  /// How long it was blocked.
  public var blocked: Int64
  /// The rest of the makespan.
  public var idle: Int64

  public init(lane: String, work: Int64, blocked: Int64, idle: Int64) {
    self.lane = lane
    self.work = work
    self.blocked = blocked
    self.idle = idle
  }
}

/// When lanes worked or were blocked.
package struct LaneOccupation {
  /// The times in which lanes were occupied, for all lanes together. They are absolute, like the times of the events.
  private(set) var spans: [Range<Int64>] = []
  package private(set) var uses: [LaneUse] = []

  /// - Parameters:
  ///   - table: the spans of these events. Its intervals must be closed.
  ///   - makespan: in nanoseconds.
  package init(_ events: TraceEvents, _ table: SpanTable, makespan: Int64) {
    var work: [Lane: Int64] = [:]
    func add(_ length: Int64, until end: Int64, on lane: Lane) {
      let begin = end.subtractingClamped(length)
      if begin < end { spans.append(begin..<end) }
      work[lane, default: 0] = work[lane, default: 0].addingClamped(length)
    }
    for event in events where event.kind == .worked {
      let length = max(Int64(exactly: event.number.rounded()) ?? 0, 0)
      add(length, until: event.time.nanoseconds, on: event.lane)
    }
    for interval in table.openWork { add(interval.length, until: interval.to, on: interval.lane) }
    var blocked: [Lane: Int64] = [:]
    for interval in table.blocking.intervals where interval.from < interval.to {
      spans.append(interval.from..<interval.to)
      blocked[interval.lane, default: 0] =
        blocked[interval.lane, default: 0].addingClamped(interval.length)
    }
    uses = table.lanes.all.map { lane in
      let (work, blocked) = (work[lane] ?? 0, blocked[lane] ?? 0)
      let idle = makespan.subtractingClamped(work).subtractingClamped(blocked)
      return LaneUse(
        lane: table.lanes.name(of: lane), work: work, blocked: blocked, idle: max(idle, 0))
    }
    uses.sort { $0.lane.isBefore($1.lane) }
  }
}

extension String {
  /// Whether this comes first in the order that compares numbers by value: `pool-2` before `pool-10`.
  fileprivate func isBefore(_ other: String) -> Bool {
    let (mine, others) = (Folding.stem(of: self), Folding.stem(of: other))
    guard mine == others else { return mine < others }
    return (utf8.count, self) < (other.utf8.count, other)
  }
}
