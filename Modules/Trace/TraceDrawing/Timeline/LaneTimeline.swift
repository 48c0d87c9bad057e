internal import TraceBasics

/// The lanes of a run as a picture in a terminal: one row per lane, time from left to right.
///
/// Each row shows the steps on its lane, and when a thread was blocked there.
///
/// ```
///       0         5ms        10ms
/// main  │                              │ idle
/// pool-1│▒▒▒▒▒▒serial.semaphore▒▒▒▒▒▒▒▒│ blocked 15ms 100%
/// pool-2│████████parse███              │ work 8ms 53%
/// ```
///
/// An executor that is not a lane, such as an actor, has a separate row below. `Analysis` has the same numbers for the
/// use of each lane. Between two times of work, a step may wait for a timer, or run code that the trace cannot
/// distinguish from waiting. For these times, the step is shown in the row of its lane: see `StepRecord.lane`.
public struct LaneTimeline: Sendable {
  public let record: RunRecord
  /// The lanes, then the other executors, each in the order of their names.
  public let lanes: [Row]

  /// The use of a lane, and what happened on it.
  public struct Row: Sendable, Hashable {
    public var use: LaneUse
    /// The stretches, ordered by their starts.
    public var stretches: [Stretch]
  }

  /// A time span on a lane.
  public struct Stretch: Sendable, Hashable {
    public var kind: Kind
    /// The path of the step. The run's own step is identified by its label.
    public var step: String
    public var from: Int64
    public var to: Int64
  }

  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A leaf step of this lane was in flight (see `StepRecord.lane`), or a task ran here.
    case inFlight = "in-flight"
    /// The step held the lane with work.
    case work
    /// The lane was blocked for the step.
    case blocked
  }

  /// - Complexity: O(n log n) in the number of events.
  public init(_ run: SavedRun) {
    let reading = TraceReading(run)
    let record = run.storedEvents.isEmpty ? run.record : reading.record
    self.record = record
    var stretches: [String: [Stretch]] = [:]
    func add(_ kind: Kind, _ step: String, on lane: String, _ from: Int64, _ to: Int64) {
      stretches[lane, default: []].append(Stretch(kind: kind, step: step, from: from, to: to))
    }
    let tasks = reading.table.tasks
    let taskSteps = Set(tasks.nodes.compactMap { reading.steps[$0] })
    for run in tasks.runs {
      let (from, to) = (reading.relative(run.from), reading.relative(run.to))
      let lane = reading.table.lanes.name(of: run.lane)
      for place in [lane, run.executor.map { reading.table.label(of: $0) }].compactMap(\.self) {
        add(.inFlight, reading.name(of: run.node), on: place, from, to)
      }
    }
    for (index, step) in record.steps.enumerated()
    where step.isLeaf && !taskSteps.contains(index) {
      guard let lane = step.lane, let started = step.started else { continue }
      add(.inFlight, step.path, on: lane, started, step.finished ?? max(record.makespan, started))
    }
    for event in run.storedEvents where event.kind == .worked {
      let length = max(Int64(exactly: event.number.rounded()) ?? 0, 0)
      let end = reading.relative(event.time.nanoseconds)
      let name = reading.table[event.span].map { reading.name(of: $0) } ?? ""
      let lane = reading.table.lanes.name(of: event.lane)
      add(.work, name, on: lane, end.subtractingClamped(length), end)
    }
    for interval in reading.table.openWork {
      add(
        .work, interval.node.map { reading.name(of: $0) } ?? "",
        on: reading.table.lanes.name(of: interval.lane), reading.relative(interval.from),
        reading.relative(interval.to))
    }
    for interval in record.intervals where interval.kind == .blocked {
      add(.blocked, interval.step, on: interval.lane, interval.from, interval.to)
    }
    var uses = LaneOccupation(reading.events, reading.table, makespan: record.makespan).uses
    let known = Set(uses.map(\.lane))
    // In a record without events, only the steps show which lanes there were.
    uses += stretches.keys.sorted().filter { !known.contains($0) }
      .map { LaneUse(lane: $0, work: 0, blocked: 0, idle: record.makespan) }
    lanes = uses.map { use in
      Row(
        use: use,
        stretches: (stretches[use.lane] ?? []).sorted { ($0.from, $0.to) < ($1.from, $1.to) })
    }
  }

  /// Draws the lanes.
  ///
  /// - Parameters:
  ///   - width: in columns; no line is wider.
  ///   - height: the maximum number of lanes. If there are more, those that were used longest are kept, and the others
  ///     are counted.
  ///   - color: whether to use the terminal's colours.
  /// - Returns: lines, each with its newline.
  /// - Complexity: O(n log n) in the number of stretches.
  public func render(
    width: Int = 80, height: Int = 40, style: Timeline.Style = .unicode, color: Bool = false
  ) -> String {
    let painter = TimelinePainter(
      record: record, isUnderWay: false, width: max(width, 1), style: style, color: color)
    return painter.lines(TimelineRows(self, height: max(height, 1)), nil)
      .map { $0 + "\n" }.joined()
  }

  /// The lanes as one line of JSON:
  /// `{"record":"lanes","name":"…","makespan_ns":0,"lanes":[{"lane":"main","work_ns":0,"blocked_ns":0,"idle_ns":0,`
  /// `"stretches":[{"kind":"in-flight","step":"a","from_ns":0,"to_ns":0}]}]}`.
  public var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("record", "lanes")
      writer.field("name", record.name)
      writer.field("makespan_ns", record.makespan)
      writer.objects("lanes", lanes) { writer, row in
        writer.fields(of: row.use)
        writer.objects("stretches", row.stretches) { writer, stretch in
          writer.field("kind", stretch.kind.rawValue)
          writer.field("step", stretch.step)
          writer.field("from_ns", stretch.from)
          writer.field("to_ns", stretch.to)
        }
      }
    }
    return writer.text
  }
}
