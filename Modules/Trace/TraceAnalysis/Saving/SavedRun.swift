/// A run in the form in which a file stores it. It contains enough to show, compare and analyse the run again.
public struct SavedRun: Sendable {
  /// The name by which runs of two files are matched. Runs with the same name, composition, script and clock form a
  /// sample.
  public var name: String
  /// The expression from which the run was composed, or the name of the recorded code.
  public var source: String
  /// The complete composition: named steps and lists are replaced by their definitions.
  public var composition: String
  /// A script that composes the same run again. Nil if unknown.
  public var script: String?
  /// The number of workers in the pool. Nil if unknown.
  public var workers: Int?
  public var record: RunRecord
  package var storedEvents: TraceEvents
  /// Whether the run only warmed up caches and threads before a comparison. Such a run belongs to no sample.
  public var isWarmUp: Bool

  public init(
    name: String, source: String, composition: String, script: String? = nil, workers: Int? = nil,
    record: RunRecord, events: [TraceEvent], isWarmUp: Bool = false
  ) {
    self.init(
      name: name, source: source, composition: composition, script: script, workers: workers,
      record: record, storedEvents: TraceEvents(events), isWarmUp: isWarmUp)
  }

  package init(
    name: String, source: String, composition: String, script: String? = nil, workers: Int? = nil,
    record: RunRecord, storedEvents: TraceEvents, isWarmUp: Bool = false
  ) {
    self.name = name
    self.source = source
    self.composition = composition
    self.script = script
    self.workers = workers
    self.record = record
    self.storedEvents = storedEvents
    self.isWarmUp = isWarmUp
  }

  /// The events from which the record was made, in time order.
  public var events: [TraceEvent] {
    get { storedEvents.array }
    set { storedEvents = TraceEvents(newValue) }
  }
}

extension TraceReading {
  package init(_ run: SavedRun) { self.init(run.record, run.storedEvents) }
}
