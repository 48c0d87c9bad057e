/// Where the time of a run went, and why the run did not end sooner.
///
/// ```swift
/// let analysis = Analysis(of: run.record, events: run.events)
/// for step in analysis.criticalPath {
///   print(step.path, step.time, step.handOver?.from ?? "first")
/// }
/// ```
///
/// Times are in nanoseconds. Points in time count from the start of the run, like those of `RunRecord`. Values that
/// occur in both types are equal. The analysis may be wrong if events were lost, or if code ran outside every known
/// runtime.
public struct Analysis: Sendable, Hashable {
  public var name: String
  public var outcome: RunRecord.Outcome
  public var makespan: Int64
  /// The sum of `work` time.
  public var work: Int64
  /// The total time for which lanes were blocked, summed over all lanes.
  public var blocked: Int64
  /// The total time from submission by the pattern until all dependencies had ended, summed over all steps.
  public var dependencyWait: Int64
  /// The total time from the end of the dependency wait to the start of each step, while it waited for a turn, a permit
  /// or a worker. It also includes the time for which finished steps waited for their lane, to report their ends.
  public var queueWait: Int64
  /// How long no leaf step was in flight and no lane worked.
  public var idle: Int64
  /// The gaps in which a step was ready, no leaf step was in flight, and not all workers were known to be occupied.
  public var dispatchGaps: Gaps
  /// The mean number of leaf steps in flight.
  public var meanConcurrency: Double
  /// The largest number of leaf steps in flight at the same time.
  public var maxConcurrency: Int
  /// How many leaf steps were in flight from each point in time.
  public var concurrency: [ConcurrencyPoint]
  /// The use of each lane, in the order of their names: `main` before `pool-2` before `pool-10`.
  public var lanes: [LaneUse]
  /// The steps that make up the makespan, the first step first. The makespan is the sum of `lead`, the times of these
  /// steps, the delays of their hand-overs, and `tail`.
  public var criticalPath: [CriticalStep]
  /// The number of events that were analysed.
  public var events: Int
  /// The cost of recording all events in nanoseconds, if it was measured. All times here include it.
  public var recording: Double?
  /// The time from the start of the run to the start of the first step on the critical path.
  public var lead: Int64 { criticalPath.first?.from ?? 0 }
  /// The time from the end of the last step on the critical path to the end of the run.
  public var tail: Int64
  /// For each step of the record, when it was ready. Nil if it never started. A step is ready when its pattern has
  /// submitted it and the last thing that it waited for has ended.
  public var ready: [Int64?]
  /// For each step of the record, its slack: it could have ended at least this much later without delaying the end of
  /// the run. This assumes that everything that waits for it takes as long as it did. Nil for steps that were cancelled
  /// or did not finish, and in runs that did not finish.
  public var slack: [Int64?]
  /// Steps that are repeated, in the order in which they first occur.
  public var repeated: [Distribution]

  /// The number, total and maximum of a set of time spans, in nanoseconds.
  public struct Gaps: Sendable, Hashable {
    public var count: Int
    public var total: Int64
    public var longest: Int64
  }
}

extension Analysis.Gaps {
  init(_ spans: TimeSpans) {
    count = spans.all.count
    total = spans.total
    longest = spans.all.lazy.map { $0.upperBound.subtractingClamped($0.lowerBound) }.max() ?? 0
  }
}

/// How many leaf steps are in flight from a point in time on.
public struct ConcurrencyPoint: Sendable, Hashable {
  public var time: Int64
  public var count: Int
}
