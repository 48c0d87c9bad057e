package import TraceBasics

/// A run takes several lines of a file: its start, one for each event, and its end.
extension SavedRun {
  static let startWord = "run-started"
  static let endWord = "run-ended"
  static let droppedWord = "dropped"

  /// Writes all lines of the run.
  func write(as number: Int, to writer: inout JSONWriter) {
    let start = events.first?.time ?? .zero
    writeStart(as: number, at: start, to: &writer)
    for event in events { event.writeLine(ofRun: number, since: start, to: &writer) }
    writeEnd(as: number, to: &writer)
  }

  // MARK: - The start

  func writeStart(as number: Int, at start: Instant, to writer: inout JSONWriter) {
    writer.line(Self.startWord, ofRun: number) { writer in
      writer.field("name", name)
      if record.name != name { writer.field("short_name", record.name) }
      writer.field("source", source)
      writer.field("composition", composition)
      if let script { writer.field("script", script) }
      if let workers { writer.field("workers", workers) }
      writer.field("pattern", record.pattern)
      writer.field("clock", record.clock.rawValue)
      // Readers of these files read whole numbers as `Int64`, so the seed is written with the same bits.
      writer.field("seed", Int64(bitPattern: record.seed))
      writer.field("start", start.nanoseconds)
      if isWarmUp { writer.field("warm_up", true) }
      if record.causesAreInferred { writer.field("causes", "inferred") }
    }
  }

  /// Reads a run without events, which has no end yet.
  init(start fields: JSONFields) throws(JSONFields.Mismatch) {
    let name = try fields.string("name")
    let clock: ClockKind = try fields.word("clock")
    var record = RunRecord(
      name: try fields.optionalString("short_name") ?? name, pattern: try fields.string("pattern"),
      clock: clock, seed: UInt64(bitPattern: try fields.integer("seed")), outcome: .unfinished)
    record.error =
      "The program ended during this run. "
      + (clock == .live
        ? "The events saved until then are here." : "The same seed repeats the run.")
    record.isIncomplete = true
    record.causesAreInferred = fields["causes"] == .string("inferred")
    self.init(
      name: name, source: try fields.string("source"),
      composition: try fields.string("composition"), script: try fields.optionalString("script"),
      workers: try fields.workers(), record: record, events: [],
      isWarmUp: try fields.bool("warm_up", default: false))
  }

  // MARK: - The end

  func writeEnd(as number: Int, to writer: inout JSONWriter) {
    writer.line(Self.endWord, ofRun: number) { writer in
      writer.field("outcome", record.outcome.rawValue)
      writer.key("value")
      writer.value(record.value)
      writer.field("error", record.error)
      if let reasons = record.stallReasons { writer.field("stall", reasons) }
      writer.field("makespan_ns", record.makespan)
      // An interval without an end may have lasted longer than the run.
      let lasting = record.intervals.map(\.to).max() ?? 0
      if lasting > record.makespan { writer.field("lasting_ns", lasting) }
      writer.field("events", storedEvents.count)
      writer.field("dropped_events", record.dropped)
      if let overhead = record.overhead { writer.field("overhead_ns", overhead) }
      if record.isIncomplete { writer.field("incomplete", true) }
    }
  }

  /// Reads the line of the run's end.
  ///
  /// - Parameter events: the events of the lines before it.
  mutating func end(
    _ fields: JSONFields, _ events: inout [TraceEvent]
  ) throws(JSONFields.Mismatch) {
    record.outcome = try fields.word("outcome")
    record.value = Value(fields["value"])
    record.error = try fields.optionalString("error")
    if fields["stall"] != nil {
      record.stallReasons = try fields.list("stall") { json throws(JSONFields.Mismatch) in
        guard case .string(let sentence) = json else {
          throw fields.mismatch("stall", "a list of strings")
        }
        return sentence
      }
    }
    let makespan = Int64(try fields.count("makespan_ns"))
    record.events = try fields.count("events")
    record.dropped = try fields.count("dropped_events")
    record.overhead = try fields.optionalNumber("overhead_ns")
    record.isIncomplete = try fields.bool("incomplete", default: false)
    deriveRecord(from: &events, lasting: try fields.optionalInteger("lasting_ns") ?? makespan)
    // Only the saved makespan includes how long the caller waited for the run.
    record.makespan = makespan
  }

  /// Completes a run that has no line for its end.
  mutating func endIncomplete(_ events: inout [TraceEvent]) {
    record.events = events.count
    deriveRecord(from: &events, lasting: nil)
  }

  /// Derives the lists and the sums of the record, which the file does not contain, from the events.
  ///
  /// - Parameter lasting: how many nanoseconds after the start the wait for the run ended, if known.
  /// - Complexity: O(n log n) in the number of events.
  private mutating func deriveRecord(from events: inout [TraceEvent], lasting: Int64?) {
    // Each thread records at its own pace, so the events must be sorted. The sort is stable.
    events.sort { $0.time < $1.time }
    // The journal may have written events that happened after the end.
    if events.count > record.events { events.removeSubrange(record.events...) }
    storedEvents = TraceEvents(events)
    let isOpen = record.isIncomplete && record.outcome == .unfinished
    record.derive(
      from: storedEvents, lasting: lasting, hasParts: isOpen && composition.contains("{"))
  }
}

extension JSONWriter {
  /// Writes a line of a run that is not one of its events.
  package mutating func line(
    _ kind: String, ofRun number: Int, _ body: (inout JSONWriter) -> Void
  ) {
    object { writer in
      writer.field("run", number)
      writer.field("e", kind)
      body(&writer)
    }
    endLine()
  }
}

extension JSONFields {
  /// The number of workers in the pool, if the field is present.
  fileprivate func workers() throws(Mismatch) -> Int? {
    guard self["workers"] != nil else { return nil }
    let workers = try count("workers")
    guard (1...1024).contains(workers) else {
      throw mismatch("workers", "a whole number from 1 to 1024")
    }
    return workers
  }
}
