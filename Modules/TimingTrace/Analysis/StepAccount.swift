public import AsyncPatterns

/// Why one step did not end sooner: what it waited for, until when, and what that meant for the run.
///
/// Times are nanoseconds; points in time count from the start of the run.
public struct StepAccount: Sendable, Hashable {
  public var step: StepRecord
  /// The path of the pattern that submitted it; the run's own step goes by its label. Nil for that itself.
  public var parent: String?
  /// What it waited for, by when that ended.
  public var waits: [Wait]
  /// Since when it was ready: all it waited for had ended; nil if it never started.
  public var ready: Int64?
  /// When a lane stood parked on its behalf.
  public var blockages: [Blockage]
  /// When it had started, was to go on, and waited for a lane.
  public var queues: [Queue]
  /// Whether a timer ended it, its own or one of a pattern that it is a part of, and not one of its parts.
  public var isEndedByTimer: Bool
  /// When a timer of its pattern cut it off, if it went on all the same, or was told of that only long after, in
  /// nanoseconds since the run began.
  public var cutOff: Int64?
  /// How much later it could have ended, as in `Analysis`.
  public var slack: Int64?

  /// For a step on the critical path, about how much sooner the run would end if it took half its time; nil
  /// for others, and for those after the first ten.
  public var gain: Int64?

  /// How many steps of a path are worth working that out for.
  private static let mostGains = 10

  /// Something that the step waited for.
  public struct Wait: Sendable, Hashable {
    public var kind: HandOver.Kind
    /// The path of what was waited for.
    public var from: String
    /// What waited: the step itself, or a pattern that it is a part of.
    public var to: String
    /// When it ended, or was cut off.
    public var until: Int64
    /// Whether a timer cut it off then, and nobody waited for its end.
    public var isCutOff = false
  }

  /// A stretch in which a lane stood parked.
  public struct Blockage: Sendable, Hashable {
    public var lane: String
    public var from: Int64
    public var to: Int64
    /// The path of whose end woke it, if that was recorded.
    public var waker: String?
  }

  /// A stretch in which it waited for a lane that was not free.
  public struct Queue: Sendable, Hashable {
    public var lane: String
    /// When it was to go on.
    public var from: Int64
    public var to: Int64
    /// The path of what held the lane, where it ended with that and that is known.
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
    let analysis = Analysis(of: reading.record, events: events)
    let queues = reading.queues
    var accounts = meant.map { index in
      StepAccount(of: index, in: reading, analysis, queues: queues[reading.nodes[index]] ?? [])
    }
    let critical = accounts.indices.filter {
      accounts[$0].step.isCritical
    }
    guard !critical.isEmpty else { return accounts }
    let sooner = reading.sooner(eventCount: events.count)
    for index in critical.prefix(mostGains) {
      accounts[index].gain = sooner.gain(halving: [reading.nodes[meant[index]]])
    }
    return accounts
  }

  private init(
    of index: Int, in reading: TraceReading, _ analysis: Analysis, queues: [Queue]
  ) {
    let table = reading.table
    let node = reading.nodes[index]
    step = reading.record.steps[index]
    parent = table.nodes[node].parent.map(reading.name)
    ready = analysis.ready[index]
    slack = analysis.slack[index]
    waits = reading.waits(of: node)
    blockages = reading.blockages(of: node)
    self.queues = queues
    isEndedByTimer = table.nodes[node].endsByTimer
    cutOff = table.nodes[node].wentOnSince.map(reading.relative)
  }
}

extension TraceReading {
  fileprivate func waits(of node: Int) -> [StepAccount.Wait] {
    let waits = path.causes.all(of: node).compactMap { cause -> StepAccount.Wait? in
      guard let end = table.sourceEnd(of: cause) else { return nil }
      return .init(
        kind: cause.kind, from: name(of: cause.source), to: name(of: cause.waiter),
        until: relative(end), isCutOff: cause.isCut && table.nodes[cause.source].isLeftBehind)
    }
    return waits.sorted { $0.until < $1.until }
  }

  fileprivate func blockages(of node: Int) -> [StepAccount.Blockage] {
    table.blocking.intervals.filter { $0.node == node }.map { interval in
      // Whoever wakes a lane records so at that moment, before the lane goes on; what is told when this interval begins
      // ended the one before it.
      let waker = table.edges.last {
        let isSince = interval.from < $0.time || interval.length == 0
        return $0.to == node && $0.kind == .woke && isSince && $0.time <= interval.to
      }
      return .init(
        lane: table.lanes.name(of: interval.lane), from: relative(interval.from),
        to: relative(interval.to), waker: waker.map { name(of: $0.from) })
    }
  }

  /// What each node waited for its lane.
  fileprivate var queues: [Int: [StepAccount.Queue]] {
    var queues: [Int: [StepAccount.Queue]] = [:]
    for (index, wait) in table.laneWaits.all.enumerated() {
      let isOfEnd = table.nodes[wait.node].endWait == index && !table.nodes[wait.node].goesOn
      let end = isOfEnd ? path.causes.end(of: wait.node) : nil
      let holder = end?.kind == .resolvedBy ? nil : end?.source
      queues[wait.node, default: []].append(
        .init(
          lane: table.lanes.name(of: wait.lane), from: relative(wait.from), to: relative(wait.to),
          holder: holder.map(name)))
    }
    return queues
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
      writer.field("by", parent)
      writer.key("waits")
      writer.array { writer in
        for wait in waits {
          writer.object { writer in
            writer.field("kind", wait.kind.rawValue)
            writer.field("from", wait.from)
            writer.field("to", wait.to)
            writer.field("until_ns", wait.until)
            writer.key("cut_off")
            writer.bool(wait.isCutOff)
          }
        }
      }
      writer.field("ready_ns", ready)
      writer.field("started_ns", step.started)
      writer.field("lane", step.lane)
      writer.key("blocked")
      writer.array { writer in
        for blockage in blockages {
          writer.object { writer in
            writer.field("lane", blockage.lane)
            writer.field("from_ns", blockage.from)
            writer.field("to_ns", blockage.to)
            writer.field("woken_by", blockage.waker)
          }
        }
      }
      writer.key("queued")
      writer.array { writer in
        for queue in queues {
          writer.object { writer in
            writer.field("lane", queue.lane)
            writer.field("from_ns", queue.from)
            writer.field("to_ns", queue.to)
            writer.field("held_by", queue.holder)
          }
        }
      }
      writer.field("work_ns", step.work)
      writer.field("finished_ns", step.finished)
      writer.key("ended_by_timer")
      writer.bool(isEndedByTimer)
      writer.field("cut_off_ns", cutOff)
      writer.key("critical")
      writer.bool(step.isCritical)
      writer.field("slack_ns", slack)
      writer.field("half_saves_ns", gain)
    }
    return writer.text
  }
}
