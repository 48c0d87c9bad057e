public import AsyncPatterns

/// A run as a file keeps it: enough to show it again, compare it and analyse it anew.
public struct SavedRun: Sendable {
  /// By which runs of two files are matched; several runs of one name and composition are its sample.
  public var name: String
  /// The text it was written as.
  public var source: String
  /// What was run, spelled out: with named steps and lists in place.
  public var composition: String
  /// The same as a script that can be composed again; nil where it is not known.
  public var script: String?
  /// How many workers the pool had; nil where it is not known.
  public var workers: Int?
  public var record: RunRecord
  public var events: [TraceEvent]
  /// Whether it only warmed caches and threads up, before a comparison: it counts for no sample.
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

  /// The line of a file that holds it, without its newline.
  var json: String { json(entry: nil) }

  /// - Parameter entry: the number of the entry that it takes the place of, if there is one.
  func json(entry: Int?) -> String {
    var writer = JSONWriter()
    writer.reserve(events.count * 24)
    writer.object { writer in
      if let entry { writer.field("entry", entry) }
      writer.field("name", name)
      writer.field("source", source)
      writer.field("composition", composition)
      if let script { writer.field("script", script) }
      if let workers { writer.field("workers", workers) }
      if isWarmUp {
        writer.key("warm_up")
        writer.bool(true)
      }
      writer.record(of: self)
      writer.events(events)
    }
    return writer.text
  }

  /// - Parameter version: of the format.
  init(_ json: JSONValue, version: Int) throws(JSONFields.Mismatch) {
    let fields = try JSONFields(json, "a run")
    try self.init(fields, events: try fields.events(), version: version)
  }

  /// - Parameter events: those of the run, wherever they stand.
  init(
    _ fields: JSONFields, events: [TraceEvent], version: Int
  ) throws(JSONFields.Mismatch) {
    let recordFields = try JSONFields(fields["record"], "the record")
    var record = try RunRecord(recordFields)
    if recordFields["steps"] == nil {
      let lasting = try fields.optionalInteger("lasting_ns") ?? record.makespan
      record = record.following(from: events, lasting: lasting)
    } else if version < SavedRuns.firstWithoutLists {
      record = record.renewed(from: events)
    }
    self.init(
      name: try fields.string("name"), source: try fields.string("source"),
      composition: try fields.string("composition"),
      script: try fields.optionalString("script"),
      workers: try fields.workers(), record: record, events: events,
      isWarmUp: try fields.bool("warm_up", default: false))
  }
}

extension JSONFields {
  /// As many as there can be, if the field is there.
  func workers() throws(Mismatch) -> Int? {
    guard self["workers"] != nil else { return nil }
    let workers = try count("workers")
    guard (1...1024).contains(workers) else {
      throw mismatch("workers", "a whole number from 1 to 1024")
    }
    return workers
  }
}
