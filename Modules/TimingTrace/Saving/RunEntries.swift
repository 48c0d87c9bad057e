internal import AsyncPatterns

/// What begins: all that is known of a run before it has ended.
public struct RunBeginning: Sendable {
  public var name: String
  /// The text it was written as.
  public var source: String
  /// What is run, spelled out.
  public var composition: String
  /// The same as a script that can be composed again; nil where it is not known.
  public var script: String?
  /// How many workers the pool has; nil where it is not known.
  public var workers: Int?
  /// The pattern at the top.
  public var pattern: String
  public var clock: ClockKind
  public var seed: UInt64
  /// Whether it only warms caches and threads up, before a comparison: it counts for no sample.
  public var isWarmUp: Bool

  public init(
    name: String, source: String, composition: String, script: String? = nil, workers: Int? = nil,
    pattern: String, clock: ClockKind, seed: UInt64 = 0, isWarmUp: Bool = false
  ) {
    self.name = name
    self.source = source
    self.composition = composition
    self.script = script
    self.workers = workers
    self.pattern = pattern
    self.clock = clock
    self.seed = seed
    self.isWarmUp = isWarmUp
  }

  /// Whether it is a pattern with steps, which may still be to come: a step alone is spelled out as its kind.
  var hasParts: Bool { composition.contains("{") }

  /// The line that begins an entry, without its newline.
  func json(entry: Int) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("entry", entry)
      writer.key("begins")
      writer.object { writer in
        writer.field("name", name)
        writer.field("source", source)
        writer.field("composition", composition)
        if let script { writer.field("script", script) }
        if let workers { writer.field("workers", workers) }
        writer.field("pattern", pattern)
        writer.field("clock", clock.rawValue)
        writer.field("seed", seed)
        if isWarmUp {
          writer.key("warm_up")
          writer.bool(true)
        }
      }
    }
    return writer.text
  }

  init(_ json: JSONValue?) throws(JSONFields.Mismatch) {
    let fields = try JSONFields(json, "the beginning of a run")
    self.init(
      name: try fields.string("name"), source: try fields.string("source"),
      composition: try fields.string("composition"), script: try fields.optionalString("script"),
      workers: try fields.workers(), pattern: try fields.string("pattern"),
      clock: try fields.word("clock"),
      seed: UInt64(bitPattern: try fields.integer("seed")),
      isWarmUp: try fields.bool("warm_up", default: false))
  }

  /// What the line of a run tells of how it began.
  init(ofRun fields: JSONFields) throws(JSONFields.Mismatch) {
    let record = try JSONFields(fields["record"], "the record")
    self.init(
      name: try fields.string("name"), source: try fields.string("source"),
      composition: try fields.string("composition"), script: try fields.optionalString("script"),
      workers: try fields.workers(), pattern: try record.string("pattern"),
      clock: try record.word("clock"),
      seed: UInt64(bitPattern: try record.integer("seed")),
      isWarmUp: try fields.bool("warm_up", default: false))
  }

  /// The line that holds events of an entry, without its newline.
  static func json(entry: Int, _ events: ArraySlice<TraceEvent>, dropped: Int) -> String {
    var writer = JSONWriter()
    writer.reserve(events.count * 24)
    writer.object { writer in
      writer.field("entry", entry)
      writer.field("dropped_events", dropped)
      writer.events(events)
    }
    return writer.text
  }
}

/// The entries of a file as it is read: what has begun, and not ended so far.
struct RunEntries {
  struct Entry {
    let beginning: RunBeginning
    /// How many had begun before it.
    let rank: Int
    var events: [TraceEvent] = []
    var dropped = 0

    /// Threads tell their events at their own pace; the sort is stable.
    var inOrder: [TraceEvent] { events.sorted { $0.time < $1.time } }
  }

  /// Of the format.
  let version: Int
  /// How many have begun.
  private(set) var count = 0
  var open: [Int64: Entry] = [:]

  init(version: Int) { self.version = version }

  /// Takes a line; the run, if it is one.
  mutating func add(_ json: JSONValue) throws(JSONFields.Mismatch) -> SavedRun? {
    let fields = try JSONFields(json, "a run")
    if fields["begins"] != nil {
      let entry = try fields.integer("entry")
      guard open[entry] == nil else {
        throw fields.mismatch("entry", "a number that no other run has")
      }
      begin(entry, try RunBeginning(fields["begins"]))
      return nil
    }
    if fields["record"] == nil, fields["entry"] != nil {
      let entry = try fields.integer("entry")
      guard open[entry] != nil else {
        throw fields.mismatch("entry", "the number of what has begun")
      }
      let events = try fields.events()
      open[entry]?.events += events
      open[entry]?.dropped = try fields.count("dropped_events")
      return nil
    }
    let run = try SavedRun(json, version: version)
    if let entry = try fields.optionalInteger("entry") { open[entry] = nil }
    return run
  }

  /// - Parameter number: one that none has that has not ended.
  mutating func begin(_ number: Int64, _ beginning: RunBeginning) {
    open[number] = Entry(beginning: beginning, rank: count)
    count += 1
  }

  /// The runs that have begun and not ended, as far as they got, in the order in which they began.
  var unfinished: [SavedRun] {
    open.values.sorted { $0.rank < $1.rank }.map { entry in
      let beginning = entry.beginning
      let events = entry.inOrder
      let record = RunRecord(
        events: events, name: beginning.name, pattern: beginning.pattern, clock: beginning.clock,
        seed: beginning.seed, outcome: .unfinished, value: .none,
        error: RunEntries.note(beginning.clock), start: nil, end: nil, lasting: nil,
        dropped: entry.dropped, overhead: nil, isCutOff: true, hasParts: beginning.hasParts)
      return SavedRun(
        name: beginning.name, source: beginning.source, composition: beginning.composition,
        script: beginning.script, workers: beginning.workers, record: record, events: events,
        isWarmUp: beginning.isWarmUp)
    }
  }

  private static func note(_ clock: ClockKind) -> String {
    switch clock {
    case .live:
      "the program ended while this went on: what it had written down by then is here"
    case .virtual:
      "the program ended while this went on: the same seed makes the same run again"
    }
  }
}
