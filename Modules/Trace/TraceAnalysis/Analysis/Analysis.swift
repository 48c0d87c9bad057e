/// Where the time of a run went, and why it did not end sooner.
///
/// ```swift
/// let analysis = Analysis(of: run.record, events: run.events)
/// for step in analysis.criticalPath {
///   print(step.path, step.time, step.handOver?.from ?? "first")
/// }
/// ```
///
/// Times are nanoseconds; points in time count from the start of the run, as those of `RunRecord` do, and what
/// stands in both is the same. Where events were lost, or code ran that no runtime knows of, it may be wrong.
public struct Analysis: Sendable, Hashable {
  public var name: String
  public var outcome: RunRecord.Outcome
  public var makespan: Int64
  /// The sum of `work` time.
  public var work: Int64
  /// The sum over all lanes of the time in which they stood parked.
  public var blocked: Int64
  /// The sum over all steps of the time from when their pattern got them until what they depended on had ended.
  public var dependencyWait: Int64
  /// The sum over all steps of the rest of the time until they started, for a turn, a permit, a worker; and of how long
  /// their ends then waited for their lane.
  public var queueWait: Int64
  /// How long no step was in flight.
  public var idle: Int64
  /// When a step was ready, nothing ran, and not all workers were known to be occupied.
  public var dispatchGaps: Gaps
  /// The mean number of leaf steps in flight.
  public var meanConcurrency: Double
  /// The largest number of leaf steps in flight at once.
  public var maxConcurrency: Int
  /// How many leaf steps were in flight, and since when.
  public var concurrency: [ConcurrencyPoint]
  /// By name, `main` first.
  public var lanes: [LaneUse]
  /// What the makespan is made of, the first step first: `lead`, their times, the delays of their hand-overs,
  /// and `tail` add up to it.
  public var criticalPath: [CriticalStep]
  /// How many events the analysis had to go by.
  public var events: Int
  /// What recording all of them cost, where it was measured: no time here is without it.
  public var recording: Double?
  /// From the start of the run to that of the first step on the critical path.
  public var lead: Int64 { criticalPath.first?.from ?? 0 }
  /// From the end of the last step on the critical path to that of the run.
  public var tail: Int64
  /// For each step of the record, since when it was ready; nil if it never started. A step is ready when its
  /// pattern has got it, and what it waited for last has ended.
  public var ready: [Int64?]
  /// For each step of the record, how much later at least it could have ended without the run's ending later, as
  /// long as all that waits for it takes as long as it did. Nil for steps that were called off or did not finish,
  /// and in runs that did not finish.
  public var slack: [Int64?]
  /// Steps that are repeated, in the order in which they begin.
  public var repeated: [Distribution]

  /// Stretches of time.
  public struct Gaps: Sendable, Hashable {
    public var count: Int
    public var total: Int64
    public var longest: Int64

    public init(count: Int = 0, total: Int64 = 0, longest: Int64 = 0) {
      self.count = count
      self.total = total
      self.longest = longest
    }

    init(_ spans: TimeSpans) {
      count = spans.all.count
      total = spans.total
      longest = spans.all.lazy.map { $0.upperBound.subtractingClamped($0.lowerBound) }.max() ?? 0
    }
  }
}

/// How many leaf steps are in flight from a point in time on.
public struct ConcurrencyPoint: Sendable, Hashable {
  public var time: Int64
  public var count: Int

  public init(time: Int64, count: Int) {
    self.time = time
    self.count = count
  }
}
