/// A run as a file holds it: enough to show it again, compare it and analyse it again.
public struct SavedRun: Sendable {
  /// Runs of two files are matched by it. Several runs of one name and composition are a sample.
  public var name: String
  /// The text that the run was written as.
  public var source: String
  /// What was run, spelled out: named steps and lists are replaced by what they stand for.
  public var composition: String
  /// A script that composes the same run again; nil where it is not known.
  public var script: String?
  /// How many workers the pool had; nil where it is not known.
  public var workers: Int?
  public var record: RunRecord
  public var events: [TraceEvent]
  /// Whether the run only warmed up caches and threads before a comparison. It counts for no sample.
  public var isWarmUp: Bool

  public init(
    name: String, source: String, composition: String, script: String? = nil, workers: Int? = nil,
    record: RunRecord, events: [TraceEvent], isWarmUp: Bool = false
  ) {
    self.name = name
    self.source = source
    self.composition = composition
    self.script = script
    self.workers = workers
    self.record = record
    self.events = events
    self.isWarmUp = isWarmUp
  }
}

extension TraceReading {
  package init(_ run: SavedRun) { self.init(run.record, run.events) }
}
