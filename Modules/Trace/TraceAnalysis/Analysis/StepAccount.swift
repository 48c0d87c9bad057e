internal import TraceBasics

/// The account of a step: why it did not end sooner, and how that affected the run.
///
/// Times are in nanoseconds. Points in time count from the start of the run.
public struct StepAccount: Sendable, Hashable {
  public var step: StepRecord
  /// The clock of the run.
  public var clock: ClockKind
  /// The path of the pattern that submitted it. If that pattern is the run's own step, its label. Nil for the run's own
  /// step.
  public var parent: String?
  /// The path of the span that created it, if that span or this one is a task.
  public var maker: String?
  /// What cancelled it, and when, if anything did.
  public var cancellation: Cancellation?
  /// Its waits, ordered by their ends.
  public var waits: [Wait]
  /// When a timer of its pattern delayed its start, if one did. Its lane is the one on which it started.
  public var delay: Stretch?
  /// When it was ready: all of its waits had ended, except a wait for a lane. Nil if it never started.
  public var ready: Int64?
  /// The lane on which it started. Later it may have run on others.
  public var startLane: String?
  /// When a lane was blocked for it.
  public var blockages: [Stretch]
  /// When it had started, could continue, and waited for a lane.
  public var queues: [Stretch]
  /// When it was suspended and held no lane, if it is a task.
  public var suspensions: [Suspension]
  /// Whether a timer ended it: its own if it is a pattern, or one of an enclosing pattern. Timers of its parts do not
  /// count.
  public var isEndedByTimer: Bool
  /// When a timer of its pattern made it time out. Nil unless it then kept running, and ended later by its own code.
  public var keptRunningAfterTimeout: Int64?
  /// How much later it could have ended, as in `Analysis`.
  public var slack: Int64?

  /// The cancellation of a step.
  public struct Cancellation: Sendable, Hashable {
    /// The path of the step that cancelled it. Nil if code outside of the run did.
    public var by: String?
    public var time: Int64
  }

  /// A wait of the step.
  public struct Wait: Sendable, Hashable {
    public var kind: HandOver.Kind
    /// The path of the awaited step.
    public var from: String
    /// The path of the waiting step: the step itself, or an enclosing pattern.
    public var to: String
    /// When the wait ended: the end or cancellation of the awaited step, if the wait was for that. Otherwise, when the
    /// waiting step continued.
    public var until: Int64
    /// Whether the awaited step timed out at that moment, and nothing waited for its end.
    public var isTimedOut = false
  }

  /// A time in which a lane was blocked for the step, or in which the step waited for a lane.
  public struct Stretch: Sendable, Hashable {
    public var lane: String
    /// When the lane was blocked, or when the step was ready to continue.
    public var from: Int64
    public var to: Int64
    /// The path of the step that woke the lane or released it, if recorded.
    public var ender: String?
    /// The call that blocked the lane, such as “in usleep”, if known.
    public var call: String?
  }

  /// A time in which a task was suspended.
  public struct Suspension: Sendable, Hashable {
    public var from: Int64
    /// Nil if it never resumed.
    public var to: Int64?
    /// The reason in words, such as “its sleep”. Empty if unknown.
    public var dependency: String
    /// The path of the task or step that resumed it, if another one did.
    public var ender: String?
    /// The paths of the tasks that held the actor, the queue or the lane for which it waited, in the order in which they
    /// released it. For a lane, only the last one is known.
    public var holders: [String] = []
  }

  /// Accounts of the steps that match a label or a path, in the order of the record.
  ///
  /// - Complexity: O(n log n) in the number of events.
  public static func accounts(of path: String, in run: SavedRun) -> [StepAccount] {
    accounts(of: path, in: TraceReading(run))
  }

  /// - Parameter events: the events from which `record` was made.
  public static func accounts(
    of path: String, in record: RunRecord, events: [TraceEvent]
  ) -> [StepAccount] {
    accounts(of: path, in: TraceReading(record, TraceEvents(events)))
  }

  private static func accounts(of path: String, in reading: TraceReading) -> [StepAccount] {
    let meant = StepPath(path).meant(in: reading.record.steps)
    guard !meant.isEmpty else { return [] }
    let analysis = Analysis(reading, workers: nil)
    return meant.map { StepAccount(of: $0, in: reading, analysis) }
  }

  private init(of index: Int, in reading: TraceReading, _ analysis: Analysis) {
    let table = reading.table
    let node = reading.nodes[index]
    step = reading.record.steps[index]
    parent = table.nodes[node].parent.map { reading.name(of: $0) }
    maker =
      table.askers.first {
        $0.node == node && (table.nodes[node].isTask || table.nodes[$0.asker].isTask)
      }.map { reading.name(of: $0.asker) }
    clock = reading.record.clock
    startLane = table.startLane(of: node).map { table.lanes.name(of: $0) }
    cancellation = table.nodes[node].details?.cancelled.map { by, time in
      Cancellation(by: by.map { reading.name(of: $0) }, time: reading.relative(time))
    }
    ready = analysis.ready[index]
    slack = analysis.slack[index]
    waits = reading.waits(of: node)
    delay = table.delay(ofStart: node).map { reading.stretch($0) }
    blockages = reading.stretches(of: node, among: table.blocking.intervals)
    queues = reading.stretches(of: node, among: table.laneWaits)
    suspensions = reading.suspensions(of: node)
    isEndedByTimer = table.isEndedByTimer(node)
    keptRunningAfterTimeout = table.timeoutBeforeEnd(node).map { reading.relative($0) }
  }
}

extension TraceReading {
  fileprivate func waits(of node: Int) -> [StepAccount.Wait] {
    let waits = table.waits(of: node).map { wait in
      StepAccount.Wait(
        kind: wait.kind, from: name(of: wait.source), to: name(of: wait.waiter),
        until: relative(wait.until), isTimedOut: wait.wasCancelled)
    }
    return waits.sorted { $0.until < $1.until }
  }

  fileprivate func suspensions(of node: Int) -> [StepAccount.Suspension] {
    let span = table.span(of: node)
    let runs = Dictionary(grouping: table.tasks.runs.filter { $0.executor != nil }) { $0.executor! }
    var suspensions: [StepAccount.Suspension] = []
    for event in events where event.span == span {
      let time = relative(event.time.nanoseconds)
      switch event.kind {
      case .suspended: suspensions.append(.init(from: time, dependency: event.detail))
      case .resumed:
        guard let last = suspensions.indices.last, suspensions[last].to == nil else { continue }
        suspensions[last].to = time
        let isHeld = event.cause.kind == .lane
        if isHeld, let holder = table[event.cause.span] {
          let onExecutor = table[event.executor].flatMap { runs[$0] } ?? []
          let others = holders(onExecutor, since: suspensions[last].from, until: time, but: node)
          suspensions[last].holders = (others.contains(holder) ? others : [holder]).map(name)
        }
        let cause = isHeld ? event.after : event.cause
        guard cause.span != span, cause.kind == .end || cause.kind == .wakeUp else { continue }
        suspensions[last].ender = table[cause.span].map(name)
      default: break
      }
    }
    return suspensions
  }

  /// The tasks that ran during a time, in the order of their ends.
  ///
  /// - Parameter runs: ordered by their ends.
  private func holders(
    _ runs: [TaskRuns.Run], since start: Int64, until end: Int64, but node: Int
  ) -> [Int] {
    let first = runs.firstIndexBeyond { relative($0.to) > start }
    var holders: [Int] = []
    for run in runs[first...].prefix(while: { relative($0.to) <= end })
    where run.node != node && !holders.contains(run.node) {
      holders.append(run.node)
    }
    return holders
  }

  fileprivate func stretches(
    of node: Int, among intervals: [LaneInterval]
  ) -> [StepAccount.Stretch] {
    intervals.filter { $0.node == node }.map(stretch)
  }

  fileprivate func stretch(_ interval: LaneInterval) -> StepAccount.Stretch {
    .init(
      lane: table.lanes.name(of: interval.lane), from: relative(interval.from),
      to: relative(interval.to), ender: interval.ender.map(name),
      call: table.blocking.call(of: interval))
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
        writer.field("timed_out", wait.isTimedOut)
      }
      writer.field("ready_ns", ready)
      writer.field("started_ns", step.started)
      writer.field("lane", startLane)
      writer.field("delayed_ns", delay.map { $0.to.subtractingClamped($0.from) })
      writer.objects("blocked", blockages) { writer, blockage in
        writer.field("lane", blockage.lane)
        writer.field("from_ns", blockage.from)
        writer.field("to_ns", blockage.to)
        writer.field("call", blockage.call)
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
        writer.field("held_by", suspension.holders.last)
      }
      writer.field("cancelled_by", cancellation?.by)
      writer.field("cancelled_ns", step.cancelled)
      writer.field("work_ns", step.work)
      writer.field("finished_ns", step.finished)
      writer.field("ended_by_timer", isEndedByTimer)
      writer.field("timed_out_ns", step.timedOut)
      writer.field("kept_running_after_timeout_ns", keptRunningAfterTimeout)
      writer.field("critical", step.isCritical)
      writer.field("slack_ns", slack)
    }
    return writer.text
  }
}
