internal import TraceBasics

/// An event is a line of a file of runs: `{"run":1,"e":"started","t":1200,"lane":2,"span":4}`.
///
/// `e` is its kind, and `t` its time in nanoseconds since the start of the run. The names of its other fields depend on
/// the kind. Except for `t`, `lane` and `span`, a field that is empty or zero is omitted.
extension TraceEvent {
  /// - Parameter start: when run number `run` started.
  func writeLine(ofRun run: Int, since start: Instant, to writer: inout JSONWriter) {
    let names = kind.fieldNames
    writer.object { writer in
      writer.field("run", run)
      writer.field("e", names.kind)
      // Differences wrap around, so that every time can be restored.
      writer.field("t", time.nanoseconds &- start.nanoseconds)
      writer.field("lane", lane.number)
      writer.field("span", span.id)
      if parent != .none { writer.field(named: names.parent) { $0.integer(parent.id) } }
      if cause != .itself { writer.cause("cause", cause) }
      if after != .itself { writer.cause("after", after) }
      if since != .zero { writer.field("since", since.nanoseconds &- start.nanoseconds) }
      if !name.isEmpty { writer.field(named: names.name) { $0.string(name) } }
      if let outcome { writer.field("outcome", StepRecord.Outcome(outcome).rawValue) }
      if role != .plain { writer.field("role", role.word) }
      if awaitsAll { writer.field("awaits", "all") }
      if !detail.isEmpty { writer.field(named: names.detail) { $0.string(detail) } }
      if number != 0 {
        // JSON cannot represent numbers that are not finite.
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
    parent = Span(id: try fields.number32(names.parent, default: 0))
    role = try fields.role()
    cause = try fields.cause("cause")
    after = try fields.cause("after")
    since = Instant(
      nanoseconds: try fields.optionalInteger("since").map { $0 &+ start.nanoseconds } ?? 0)
    name = try fields.optionalString(names.name) ?? ""
    detail = try fields.optionalString(names.detail) ?? ""
    number = try fields.real(names.number)
    if kind == .finished {
      let word: StepRecord.Outcome = try fields.word("outcome")
      outcome = [.success, .failure, .cancelled].first { StepRecord.Outcome($0) == word }
      if outcome == nil { throw fields.mismatch("outcome", "success, failure or cancelled") }
      awaitsAll = fields["awaits"] == .string("all")
    }
  }
}

extension TraceEvent.Kind {
  /// The name of an event kind in a file, and the names of the fields that depend on the kind. A field keeps its
  /// default name unless the kind gives it another.
  fileprivate struct FieldNames {
    var kind: String
    var parent = "on"
    var name = "name"
    var detail = "detail"
    var number = "number"
  }

  fileprivate var fieldNames: FieldNames {
    switch self {
    case .submitted: FieldNames(kind: "submitted", parent: "in", name: "label", detail: "kind")
    case .listed: FieldNames(kind: "listed", name: "list")
    case .awaited: FieldNames(kind: "awaited")
    case .started: FieldNames(kind: "started")
    case .suspended: FieldNames(kind: "suspended")
    case .resumed: FieldNames(kind: "resumed", number: "queued")
    case .finished: FieldNames(kind: "finished", detail: "reason")
    case .cancelled: FieldNames(kind: "cancelled")
    case .blocked: FieldNames(kind: "blocked")
    case .unblocked: FieldNames(kind: "unblocked")
    case .worked: FieldNames(kind: "worked", number: "for")
    case .counter: FieldNames(kind: "counter", number: "value")
    case .mark: FieldNames(kind: "mark")
    case .misuse: FieldNames(kind: "misuse", name: "rule")
    }
  }

  fileprivate static let byName = Dictionary(
    uniqueKeysWithValues: (0...UInt8.max).compactMap { code in
      TraceEvent.Kind(rawValue: code).map { ($0.fieldNames.kind, $0) }
    })
}

extension JSONWriter {
  /// A cause, such as `{"end":12}`: its kind, and the number of its span.
  fileprivate mutating func cause(_ name: StaticString, _ cause: Cause) {
    object(name) { writer in
      writer.field(named: cause.kind.word) { $0.integer(cause.span.id) }
    }
  }
}

extension TraceEvent.Role {
  /// The name of the case in a file: `display-asked`.
  fileprivate var word: String {
    "\(self)".reduce(into: "") { word, letter in
      word += letter.isUppercase ? "-\(letter.lowercased())" : String(letter)
    }
  }

  fileprivate static let byWord = Dictionary(uniqueKeysWithValues: allCases.map { ($0.word, $0) })
}

extension Cause.Kind {
  fileprivate var word: String {
    switch self {
    case .itself: "itself"
    case .end: "end"
    case .timer: "timer"
    case .permit: "permit"
    case .wakeUp: "wake-up"
    case .lane: "lane"
    case .cancellation: "cancellation"
    case .parent: "parent"
    }
  }

  fileprivate static let byWord = Dictionary(uniqueKeysWithValues: allCases.map { ($0.word, $0) })
}

extension JSONFields {
  fileprivate func role() throws(Mismatch) -> TraceEvent.Role {
    guard let word = try optionalString("role") else { return .plain }
    guard let role = TraceEvent.Role.byWord[word] else {
      throw mismatch("role", "a role that this program knows")
    }
    return role
  }

  /// Reads a cause. If the field is missing, the cause is the code of the span itself.
  fileprivate func cause(_ name: String) throws(Mismatch) -> Cause {
    guard let json = self[name] else { return .itself }
    let fields = try JSONFields(json, "a cause")
    guard let word = fields.firstName, let kind = Cause.Kind.byWord[word] else {
      throw mismatch(name, "a cause that this program knows, such as {\"end\":12}")
    }
    return Cause(kind, Span(id: try fields.number32(word)))
  }

  /// Reads a number. It is zero if the field is missing. A string holds a value that JSON cannot represent, such as
  /// `nan`.
  fileprivate func real(_ name: String) throws(Mismatch) -> Double {
    guard case .string(let text)? = self[name] else { return try optionalNumber(name) ?? 0 }
    guard let number = Double(text), !number.isFinite else { throw mismatch(name, "a number") }
    return number
  }
}
