internal import AsyncPatterns

/// Writes the events of a list, each as `[kind, time, span, lane, …]` and then what its kind has besides.
///
/// So that they take little room, the time and the span are told as differences from the event before, which
/// begins with zeros; a kind, an outcome and a way in which one let another go on is its number; a text of up to 128
/// bytes that has stood in the list before is its number, counted from 0 in the order in which such texts first
/// stand; and what is as usual at the end of an event is left out.
struct EventWriter {
  private var time: Int64 = 0
  private var span: Int64 = 0
  private var parent: Int64 = 0
  private var texts: [String: Int] = [:]

  mutating func write(_ event: TraceEvent, to writer: inout JSONWriter) {
    let time = event.time.nanoseconds
    let (span, other) = (Int64(event.span.id), Int64(event.other.id))
    writer.beginArray()
    writer.integer(event.kind.rawValue)
    // Whatever the times are, the differences give them back.
    writer.integer(time &- self.time)
    writer.integer(span - self.span)
    writer.integer(event.lane.number)
    (self.time, self.span) = (time, span)
    switch event.kind {
    case .submitted:
      writer.integer(other - parent)
      parent = other
      text(event.name, to: &writer)
      text(event.detail, to: &writer)
    case .listed: text(event.name, to: &writer)
    case .started, .blocked, .unblocked: break
    case .finished:
      let (outcome, ending) = (event.outcome?.rawValue ?? 0, event.ending)
      if outcome != 0 || !ending.isEmpty || !event.detail.isEmpty { writer.integer(outcome) }
      if !ending.isEmpty || !event.detail.isEmpty { text(event.detail, to: &writer) }
      if !ending.isEmpty { writer.integer(ending.rawValue) }
    case .worked, .queued: writer.number(event.number)
    case .edge:
      writer.integer(event.edge?.rawValue ?? 0)
      writer.integer(span - other)
    case .counter:
      text(event.name, to: &writer)
      writer.number(event.number)
    case .mark, .misuse:
      text(event.name, to: &writer)
      if !event.detail.isEmpty { text(event.detail, to: &writer) }
    }
    writer.endArray()
  }

  private mutating func text(_ text: String, to writer: inout JSONWriter) {
    if let number = texts[text] { return writer.integer(number) }
    if text.utf8.count <= EventReader.longestNumbered { texts[text] = texts.count }
    writer.string(text)
  }
}

/// Reads the events of a list, one after another; those of version 2, each of which stands by itself, too.
struct EventReader {
  private var time: Int64 = 0
  private var span: Int64 = 0
  private var parent: Int64 = 0
  private var texts: [String] = []

  /// In bytes. A few numbers must not stand for any amount of text.
  static let longestNumbered = 128

  mutating func event(_ json: JSONValue) throws(JSONFields.Mismatch) -> TraceEvent {
    var fields = try EventFields(json)
    if let word = fields.nextString { return try TraceEvent(called: word, &fields) }
    guard let code = UInt8(exactly: try fields.integer()),
      let kind = TraceEvent.Kind(rawValue: code)
    else { throw EventFields.mismatch }
    time &+= try fields.integer()
    span = try number32(span, plus: try fields.integer())
    let lane = Lane(number: try fields.number32())
    var event = try self.event(kind, &fields)
    event.lane = lane
    guard fields.isAtEnd else { throw EventFields.mismatch }
    return event
  }

  private mutating func event(
    _ kind: TraceEvent.Kind, _ fields: inout EventFields
  ) throws(JSONFields.Mismatch) -> TraceEvent {
    let (span, time) = (Span(id: UInt32(self.span)), Instant(nanoseconds: self.time))
    switch kind {
    case .submitted:
      parent = try number32(parent, plus: try fields.integer())
      let label = try text(&fields)
      return .submitted(
        span, in: Span(id: UInt32(parent)), label: label, kind: try text(&fields), at: time)
    case .listed: return .listed(span, in: try text(&fields), at: time)
    case .started: return .started(span, at: time)
    case .finished:
      let code = fields.isAtEnd ? 0 : try fields.number32()
      guard let outcome = UInt8(exactly: code).flatMap(TraceEvent.Outcome.init) else {
        throw EventFields.mismatch
      }
      let reason = fields.isAtEnd ? "" : try text(&fields)
      let bits = fields.isAtEnd ? 0 : try fields.integer()
      guard let ending = UInt8(exactly: bits) else { throw EventFields.mismatch }
      return .finished(
        span, outcome, because: reason, ending: .init(rawValue: ending),
        at: time)
    case .blocked: return .blocked(span, at: time)
    case .unblocked: return .unblocked(span, at: time)
    case .worked, .queued:
      var event =
        kind == .worked
        ? TraceEvent.worked(span, for: .zero, at: time) : .queued(span, since: time, at: time)
      event.number = try fields.real()
      return event
    case .edge:
      guard let edge = UInt8(exactly: try fields.number32()).flatMap(TraceEvent.Edge.init) else {
        throw EventFields.mismatch
      }
      let (before, overflow) = self.span.subtractingReportingOverflow(try fields.integer())
      guard !overflow, let other = UInt32(exactly: before) else { throw EventFields.mismatch }
      return .edge(edge, from: Span(id: other), to: span, at: time)
    case .counter:
      let name = try text(&fields)
      return .counter(name, try fields.real(), of: span, at: time)
    case .mark, .misuse:
      let name = try text(&fields)
      let detail = fields.isAtEnd ? "" : try text(&fields)
      return kind == .mark
        ? .mark(name, detail, of: span, at: time) : .misuse(name, detail, of: span, at: time)
    }
  }

  /// A text, or the number of one that has stood before.
  private mutating func text(_ fields: inout EventFields) throws(JSONFields.Mismatch) -> String {
    if let text = fields.nextString {
      if text.utf8.count <= Self.longestNumbered { texts.append(text) }
      return text
    }
    let number = Int(try fields.number32())
    guard texts.indices.contains(number) else { throw EventFields.mismatch }
    return texts[number]
  }

  private func number32(
    _ number: Int64, plus difference: Int64
  ) throws(JSONFields.Mismatch) -> Int64 {
    let (sum, overflow) = number.addingReportingOverflow(difference)
    guard !overflow, UInt32(exactly: sum) != nil else { throw EventFields.mismatch }
    return sum
  }
}

/// The parts of an event, one after another.
struct EventFields {
  static let mismatch = JSONFields.Mismatch(
    message: "an event should be a list of its kind, time, span, lane and what its kind has besides"
  )

  private var rest: ArraySlice<JSONValue>

  init(_ json: JSONValue) throws(JSONFields.Mismatch) {
    guard case .array(let values) = json else { throw EventFields.mismatch }
    rest = values[...]
  }

  var isAtEnd: Bool { rest.isEmpty }

  /// The next part, if it is a string; it is taken then.
  var nextString: String? {
    mutating get {
      guard case .string(let string)? = rest.first else { return nil }
      rest.removeFirst()
      return string
    }
  }

  mutating func string() throws(JSONFields.Mismatch) -> String {
    guard let string = nextString else { throw EventFields.mismatch }
    return string
  }

  mutating func integer() throws(JSONFields.Mismatch) -> Int64 {
    guard case .integer(let integer)? = rest.popFirst() else { throw EventFields.mismatch }
    return integer
  }

  mutating func number32() throws(JSONFields.Mismatch) -> UInt32 {
    guard let number = UInt32(exactly: try integer()) else { throw EventFields.mismatch }
    return number
  }

  mutating func real() throws(JSONFields.Mismatch) -> Double {
    switch rest.popFirst() {
    case .integer(let integer)?: return Double(integer)
    case .number(let number)?: return number
    // What JSON cannot spell.
    case .null?: return .nan
    default: throw EventFields.mismatch
    }
  }
}
