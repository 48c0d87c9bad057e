internal import AsyncPatterns

extension RunEntries {
  /// What becomes of a line that breaks off.
  enum TornLine {
    case leftOut
    /// What is whole of it is told with the runs that are unfinished.
    case kept
    /// All of the run was written down, and only the end of its line was not.
    case run(SavedRun)
  }

  /// Takes what is whole of a line that breaks off.
  ///
  /// - Parameter json: its whole parts.
  /// - Throws: what is wrong with them, as in a whole line: that something is missing is not.
  mutating func addTorn(_ json: JSONValue) throws(JSONFields.Mismatch) -> TornLine {
    let fields = try JSONFields(json, "a run")
    let number = try fields.optionalInteger("entry")
    let known = number.flatMap { open[$0] }
    if let begins = fields["begins"] {
      if known != nil { throw fields.mismatch("entry", "a number that no other run has") }
      _ = try RunBeginning(begins.completed(by: Self.begins))
      return .leftOut
    }
    let hasEvents = fields["events"] != nil
    if let number, hasEvents || fields["dropped_events"] != nil, fields["record"] == nil,
      fields["name"] == nil
    {
      guard known != nil else { throw fields.mismatch("entry", "the number of what has begun") }
      if fields["dropped_events"] != nil {
        open[number]?.dropped = try fields.count("dropped_events")
      }
      if hasEvents { open[number]?.events += try fields.events() }
      return .kept
    }
    let part = try SavedRun(json.completed(by: Self.run), version: version)
    // Nothing is wrong with what is there; what may be now is that something is missing.
    guard hasEvents, let beginning = try? RunBeginning(ofRun: fields) else {
      return known == nil ? .leftOut : .kept
    }
    // The line of a run holds all of its events, those of its entry, too.
    let isAhead = known.map { $0.events.count < part.events.count } ?? true
    let events = isAhead ? part.events : known?.inOrder ?? []
    if part.record.events == events.count,
      let run = try? SavedRun(fields, events: events, version: version)
    {
      if let number { open[number] = nil }
      return .run(run)
    }
    guard isAhead, !events.isEmpty else { return known == nil ? .leftOut : .kept }
    let key = number ?? -1
    if known == nil { begin(key, beginning) }
    open[key]?.events = events
    open[key]?.dropped = part.record.dropped
    return .kept
  }

  // MARK: What stands in for what is missing

  private static let begins = json(
    RunBeginning(name: "", source: "", composition: "", pattern: "", clock: .live).json(entry: 0)
  )["begins"]

  private static let run: JSONValue? = {
    let record = RunRecord(events: [], name: "", pattern: "", clock: .live, outcome: .success)
    let run = SavedRun(name: "", source: "", composition: "", record: record, events: [])
    // With its lists, which older files have.
    return JSONValue.object(["record": json(record.json)]).completed(by: json(run.json))
  }()

  private static func json(_ text: String) -> JSONValue {
    (try? JSONReader.read(text.utf8)) ?? .null
  }
}

extension JSONValue {
  fileprivate subscript(name: String) -> JSONValue? {
    guard case .object(let fields) = self else { return nil }
    return fields[name]
  }

  /// The same, with the members that it lacks, and so the objects in it.
  fileprivate func completed(by other: JSONValue?) -> JSONValue {
    guard case .object(let fields) = self, case .object(let others)? = other else { return self }
    return .object(others.merging(fields) { $1.completed(by: $0) })
  }
}
