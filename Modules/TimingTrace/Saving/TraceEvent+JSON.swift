internal import AsyncPatterns

/// An event is a line of a file of runs: `{"run":1,"e":"started","t":1200,"lane":2,"span":4}`.
///
/// `e` is its kind, and `t` its time in nanoseconds since the start of the run. The names of its other fields depend
/// on the kind. A field that is empty or zero is left out.
extension TraceEvent {
  /// - Parameter start: when run number `run` started.
  func writeLine(ofRun run: Int, since start: Instant, to writer: inout JSONWriter) {
    let names = kind.fieldNames
    writer.object { writer in
      writer.field("run", run)
      writer.key("e")
      writer.string(names.kind)
      // Differences wrap around, so that every time can be restored.
      writer.field("t", time.nanoseconds &- start.nanoseconds)
      writer.field("lane", lane.number)
      writer.field("span", span.id)
      if other != .none { writer.field(named: names.other) { $0.integer(other.id) } }
      if !name.isEmpty { writer.field(named: names.name) { $0.string(name) } }
      if let outcome { writer.field("outcome", StepRecord.Outcome(outcome).rawValue) }
      if let edge { writer.field("edge", EdgeRecord.Kind(edge).rawValue) }
      if !detail.isEmpty { writer.field(named: names.detail) { $0.string(detail) } }
      if number != 0 {
        // JSON has no word for what is not finite.
        writer.field(named: names.number) {
          if number.isFinite { $0.number(number) } else { $0.string(number.description) }
        }
      }
    }
    writer.endLine()
  }

  /// Reads an event from the fields of its line.
  ///
  /// - Parameter start: when its run started.
  init(_ fields: JSONFields, since start: Instant) throws(JSONFields.Mismatch) {
    guard let kind = Kind.byName[try fields.string("e")] else {
      throw fields.mismatch("e", "a kind of event that this program knows")
    }
    let names = kind.fieldNames
    let time = Instant(nanoseconds: try fields.integer("t") &+ start.nanoseconds)
    self = .started(Span(id: try fields.number32("span")), at: time)
    self.kind = kind
    lane = Lane(number: try fields.number32("lane"))
    other = Span(id: try fields.number32(names.other, default: 0))
    name = try fields.optionalString(names.name) ?? ""
    detail = try fields.optionalString(names.detail) ?? ""
    number = try fields.real(names.number)
    if kind == .finished {
      let word: StepRecord.Outcome = try fields.word("outcome")
      outcome = [.success, .failure, .cancelled].first { StepRecord.Outcome($0) == word }
      if outcome == nil { throw fields.mismatch("outcome", "success, failure or cancelled") }
    }
    if kind == .edge { edge = Edge(try fields.word("edge") as EdgeRecord.Kind) }
  }
}

extension TraceEvent.Kind {
  /// What a file calls a kind of event, and the fields that only some kinds have. A kind leaves empty the fields for
  /// which it has no name here.
  fileprivate struct FieldNames {
    var kind: String
    var other = "other"
    var name = "name"
    var detail = "detail"
    var number = "number"
  }

  fileprivate var fieldNames: FieldNames {
    switch self {
    case .submitted: FieldNames(kind: "submitted", other: "in", name: "label", detail: "kind")
    case .listed: FieldNames(kind: "listed", name: "list")
    case .started: FieldNames(kind: "started")
    case .finished: FieldNames(kind: "finished", detail: "reason", number: "ending")
    case .blocked: FieldNames(kind: "blocked")
    case .unblocked: FieldNames(kind: "unblocked")
    case .worked: FieldNames(kind: "worked", number: "for")
    case .edge: FieldNames(kind: "edge", other: "from")
    case .counter: FieldNames(kind: "counter", number: "value")
    case .mark: FieldNames(kind: "mark")
    case .misuse: FieldNames(kind: "misuse", name: "rule")
    case .queued: FieldNames(kind: "queued", number: "for")
    }
  }

  fileprivate static let byName = Dictionary(
    uniqueKeysWithValues: (0...UInt8.max).compactMap { code in
      TraceEvent.Kind(rawValue: code).map { ($0.fieldNames.kind, $0) }
    })
}

extension JSONFields {
  /// A number; zero where the field is missing. A string holds what JSON cannot spell, such as `nan`.
  fileprivate func real(_ name: String) throws(Mismatch) -> Double {
    guard case .string(let text)? = self[name] else { return try optionalNumber(name) ?? 0 }
    guard let number = Double(text), !number.isFinite else { throw mismatch(name, "a number") }
    return number
  }
}
