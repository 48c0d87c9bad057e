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

  public init(
    name: String, source: String, composition: String, script: String? = nil, workers: Int? = nil,
    pattern: String, clock: ClockKind, seed: UInt64 = 0
  ) {
    self.name = name
    self.source = source
    self.composition = composition
    self.script = script
    self.workers = workers
    self.pattern = pattern
    self.clock = clock
    self.seed = seed
  }

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
      }
    }
    return writer.text
  }

  fileprivate init(_ json: JSONValue?) throws(JSONFields.Mismatch) {
    let fields = try JSONFields(json, "the beginning of a run")
    self.init(
      name: try fields.string("name"), source: try fields.string("source"),
      composition: try fields.string("composition"), script: try fields.optionalString("script"),
      workers: try fields.workers(), pattern: try fields.string("pattern"),
      clock: try fields.word("clock"),
      seed: UInt64(bitPattern: try fields.integer("seed")))
  }

  /// What the line of a run tells of how it began.
  fileprivate init(ofRun fields: JSONFields) throws(JSONFields.Mismatch) {
    let record = try JSONFields(fields["record"], "the record")
    self.init(
      name: try fields.string("name"), source: try fields.string("source"),
      composition: try fields.string("composition"), script: try fields.optionalString("script"),
      workers: try fields.workers(), pattern: try record.string("pattern"),
      clock: try record.word("clock"),
      seed: UInt64(bitPattern: try record.integer("seed")))
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
  private struct Entry {
    let beginning: RunBeginning
    var events: [TraceEvent] = []
    var dropped = 0
  }

  /// Of the format.
  private let version: Int
  private var order: [Int64] = []
  private var open: [Int64: Entry] = [:]

  init(version: Int) { self.version = version }

  /// Takes a line; the run, if it is one.
  mutating func add(_ json: JSONValue) throws(JSONFields.Mismatch) -> SavedRun? {
    let fields = try JSONFields(json, "a run")
    if fields["begins"] != nil {
      let entry = try fields.integer("entry")
      guard open[entry] == nil else {
        throw fields.mismatch("entry", "a number that no other run has")
      }
      open[entry] = Entry(beginning: try RunBeginning(fields["begins"]))
      order.append(entry)
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

  /// Takes a line that breaks off in the events of an entry or of a run, up to the last whole event; false if it is
  /// another line, or has none.
  mutating func addTorn(_ bytes: ArraySlice<UInt8>) -> Bool {
    let (json, events) = Array(bytes).withUnsafeBufferPointer { bytes in
      var reader = JSONReader(bytes: bytes)
      reader.isStrict = true
      let json = try? reader.fieldsBeforeEvents()
      return (json, json == nil ? [] : reader.wholeEvents())
    }
    guard let json, let fields = try? JSONFields(json, "a run") else { return false }
    let number = try? fields.optionalInteger("entry")
    if fields["record"] == nil {
      guard let number, open[number] != nil else { return false }
      open[number]?.events += events
      return true
    }
    // The line of a run holds all of its events, those of its entry, too.
    guard !events.isEmpty, let beginning = try? RunBeginning(ofRun: fields) else { return false }
    let known = number.flatMap { open[$0] }
    if let known, known.events.count >= events.count { return true }
    let key = number ?? -1
    if known == nil { order.append(key) }
    let record = try? JSONFields(fields["record"], "the record")
    open[key] = Entry(
      beginning: beginning, events: events, dropped: (try? record?.count("dropped_events")) ?? 0)
    return true
  }

  /// The runs that have begun and not ended, as far as they got, in the order in which they began.
  var unfinished: [SavedRun] {
    order.compactMap { number in
      guard let entry = open[number] else { return nil }
      let beginning = entry.beginning
      // Threads tell their events at their own pace; the sort is stable.
      let events = entry.events.sorted { $0.time < $1.time }
      let record = RunRecord(
        events: events, name: beginning.name, pattern: beginning.pattern, clock: beginning.clock,
        seed: beginning.seed, outcome: .unfinished, value: .none,
        error: RunEntries.note(beginning.clock), start: nil, end: nil, lasting: nil,
        dropped: entry.dropped, overhead: nil, isCutOff: true)
      return SavedRun(
        name: beginning.name, source: beginning.source, composition: beginning.composition,
        script: beginning.script, workers: beginning.workers, record: record, events: events)
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

extension JSONReader {
  /// Reads a line up to its first event.
  ///
  /// - Returns: the fields before its events.
  fileprivate mutating func fieldsBeforeEvents() throws(Failure) -> JSONValue {
    guard take("{") else { throw failure("“{” was expected") }
    var fields: [String: JSONValue] = [:]
    repeat {
      guard peek == UInt8(ascii: "\"") else { throw failure("a name was expected") }
      let name = try string()
      guard take(":") else { throw failure("“:” was expected") }
      if name == "events", take("[") { return .object(fields) }
      fields[name] = try value(depth: 1)
    } while take(",")
    throw failure("no events")
  }

  /// Reads events up to the first that is not whole.
  fileprivate mutating func wholeEvents() -> [TraceEvent] {
    var events: [TraceEvent] = []
    var eventReader = EventReader()
    repeat {
      guard let json = try? value(depth: 1), let event = try? eventReader.event(json) else { break }
      events.append(event)
    } while take(",")
    return events
  }
}
