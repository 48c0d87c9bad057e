internal import TraceBasics

/// Why one step did not end sooner: what it waited for, until when, and what that meant for the run.
///
/// Times are nanoseconds; points in time count from the start of the run.
public struct StepAccount: Sendable, Hashable {
  public var step: StepRecord
  /// The path of the pattern that submitted it; the run's own step goes by its label. Nil for that itself.
  public var parent: String?
  /// The path of the span that asked for it, if one of the two is a task.
  public var maker: String?
  /// The path of the task that cancelled it, and when, if one did.
  public var cancellation: Cancellation?
  /// What it waited for, by when that ended.
  public var waits: [Wait]
  /// Since when it was ready: all that it waited for had ended, other than a lane. Nil if it never started.
  public var ready: Int64?
  /// When a lane stood parked on its behalf.
  public var blockages: [Stretch]
  /// When it had started, was to go on, and waited for a lane.
  public var queues: [Stretch]
  /// When it was suspended and held no lane, if it is a task.
  public var suspensions: [Suspension]
  /// Whether a timer ended it, its own or one of a pattern that it is a part of, and not one of its parts.
  public var isEndedByTimer: Bool
  /// When a timer of its pattern cut it off, if it went on all the same, or was told of that only long after, in
  /// nanoseconds since the run began.
  public var cutOff: Int64?
  /// How much later it could have ended, as in `Analysis`.
  public var slack: Int64?

  /// A task was cancelled by another one.
  public struct Cancellation: Sendable, Hashable {
    public var by: String
    public var time: Int64
  }

  /// Something that the step waited for.
  public struct Wait: Sendable, Hashable {
    public var kind: HandOver.Kind
    /// The path of what was waited for.
    public var from: String
    /// What waited: the step itself, or a pattern that it is a part of.
    public var to: String
    /// When the wait ended: when that ended or was cancelled, or else when what waited continued.
    public var until: Int64
    /// Whether a timer cut it off then, and nobody waited for its end.
    public var isCutOff = false
  }

  /// A time in which a lane was blocked for the step, or in which the step waited for a lane.
  public struct Stretch: Sendable, Hashable {
    public var lane: String
    /// When the lane was blocked, or when the step was ready to continue.
    public var from: Int64
    public var to: Int64
    /// The path of the step that woke the lane or released it, if that was recorded.
    public var ender: String?
  }

  /// A time in which a task was suspended.
  public struct Suspension: Sendable, Hashable {
    public var from: Int64
    /// Nil if it never continued.
    public var to: Int64?
    /// What it waited for, such as “its sleep”; empty if that is not known.
    public var dependency: String
    /// The path of the task or step that resumed it, if another one did.
    public var ender: String?
    /// The path of the task that held the actor, the queue or the lane for which it waited.
    public var holder: String?
  }

  /// Accounts of the steps that a label or a path means, in the order of the record.
  ///
  /// - Complexity: O(n log n) in the number of events.
  public static func accounts(of path: String, in run: SavedRun) -> [StepAccount] {
    accounts(of: path, in: run.record, events: run.events)
  }

  /// - Parameter events: those that `record` is of.
  public static func accounts(
    of path: String, in record: RunRecord, events: [TraceEvent]
  ) -> [StepAccount] {
    let reading = TraceReading(record, events)
    let meant = StepPath(path).meant(in: reading.record.steps)
    guard !meant.isEmpty else { return [] }
    let analysis = Analysis(reading, workers: nil)
    return meant.map { StepAccount(of: $0, in: reading, analysis) }
  }

  private init(of index: Int, in reading: TraceReading, _ analysis: Analysis) {
    let table = reading.table
    let node = reading.nodes[index]
    step = reading.record.steps[index]
    parent = table.nodes[node].parent.map(reading.name)
    maker =
      table.askers.first {
        $0.node == node && (table.nodes[node].isTask || table.nodes[$0.asker].isTask)
      }.map { reading.name(of: $0.asker) }
    if table.nodes[node].isTask {
      cancellation = table.nodes[node].cancelled.flatMap { by, time in
        by.map { Cancellation(by: reading.name(of: $0), time: reading.relative(time)) }
      }
    }
    ready = analysis.ready[index]
    slack = analysis.slack[index]
    waits = reading.waits(of: node)
    blockages = reading.stretches(of: node, among: table.blocking.intervals)
    queues = reading.stretches(of: node, among: table.laneWaits)
    suspensions = reading.suspensions(of: node)
    isEndedByTimer = table.isEndedByTimer(node)
    cutOff = table.cutOff(node).map(reading.relative)
  }
}

extension TraceReading {
  fileprivate func waits(of node: Int) -> [StepAccount.Wait] {
    let waits = table.waits(of: node).map { wait in
      StepAccount.Wait(
        kind: wait.kind, from: name(of: wait.source), to: name(of: wait.waiter),
        until: relative(wait.until), isCutOff: wait.isCut)
    }
    return waits.sorted { $0.until < $1.until }
  }

  fileprivate func suspensions(of node: Int) -> [StepAccount.Suspension] {
    let span = table.nodes[node].span
    var suspensions: [StepAccount.Suspension] = []
    for event in events where event.span == span {
      let time = relative(event.time.nanoseconds)
      switch event.kind {
      case .suspended: suspensions.append(.init(from: time, dependency: event.detail))
      case .resumed:
        guard let last = suspensions.indices.last, suspensions[last].to == nil else { continue }
        suspensions[last].to = time
        let isHeld = event.cause.kind == .lane
        if isHeld { suspensions[last].holder = table[event.cause.span].map(name) }
        let cause = isHeld ? event.after : event.cause
        guard cause.span != span, cause.kind == .end || cause.kind == .wakeUp else { continue }
        suspensions[last].ender = table[cause.span].map(name)
      default: break
      }
    }
    return suspensions
  }

  fileprivate func stretches(
    of node: Int, among intervals: [LaneInterval]
  ) -> [StepAccount.Stretch] {
    intervals.filter { $0.node == node }.map { interval in
      .init(
        lane: table.lanes.name(of: interval.lane), from: relative(interval.from),
        to: relative(interval.to), ender: interval.ender.map(name))
    }
  }
}

extension StepAccount {
  /// The account as one line of JSON.
  public var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("record", "why")
      writer.field("step", step.path)
      writer.field("pattern", step.pattern)
      writer.field("outcome", step.outcome.rawValue)
      writer.field("submitted_ns", step.submitted)
      writer.field("by", maker ?? parent)
      writer.objects("waits", waits) { writer, wait in
        writer.field("kind", wait.kind.rawValue)
        writer.field("from", wait.from)
        writer.field("to", wait.to)
        writer.field("until_ns", wait.until)
        writer.field("cut_off", wait.isCutOff)
      }
      writer.field("ready_ns", ready)
      writer.field("started_ns", step.started)
      writer.field("lane", step.lane)
      writer.objects("blocked", blockages) { writer, blockage in
        writer.field("lane", blockage.lane)
        writer.field("from_ns", blockage.from)
        writer.field("to_ns", blockage.to)
        writer.field("woken_by", blockage.ender)
      }
      writer.objects("queued", queues) { writer, queue in
        writer.field("lane", queue.lane)
        writer.field("from_ns", queue.from)
        writer.field("to_ns", queue.to)
        writer.field("held_by", queue.ender)
      }
      writer.objects("suspended", suspensions) { writer, suspension in
        writer.field("from_ns", suspension.from)
        writer.field("to_ns", suspension.to)
        writer.field("for", suspension.dependency)
        writer.field("resumed_by", suspension.ender)
        writer.field("held_by", suspension.holder)
      }
      writer.field("cancelled_by", cancellation?.by)
      writer.field("cancelled_ns", cancellation?.time)
      writer.field("work_ns", step.work)
      writer.field("finished_ns", step.finished)
      writer.field("ended_by_timer", isEndedByTimer)
      writer.field("cut_off_ns", cutOff)
      writer.field("critical", step.isCritical)
      writer.field("slack_ns", slack)
    }
    return writer.text
  }
}
