internal import AsyncPatterns

/// An event in a file: `["finished", time, lane, span, …]`, and then what its kind has besides.
extension JSONWriter {
  mutating func event(_ event: TraceEvent) {
    array { writer in
      writer.string(event.kind.word)
      writer.integer(event.time.nanoseconds)
      writer.integer(event.lane.number)
      writer.integer(event.span.id)
      switch event.kind {
      case .submitted:
        writer.integer(event.other.id)
        writer.string(event.name)
        writer.string(event.detail)
      case .listed: writer.string(event.name)
      case .started, .blocked, .unblocked: break
      case .finished:
        writer.string(event.outcome?.word ?? "")
        writer.string(event.detail)
        if event.number != 0 { writer.integer(1) }
      case .worked: writer.number(event.number)
      case .edge:
        writer.string(event.edge.map { EdgeRecord.Kind($0).rawValue } ?? "")
        writer.integer(event.other.id)
      case .counter:
        writer.string(event.name)
        writer.number(event.number)
      case .mark, .misuse:
        writer.string(event.name)
        writer.string(event.detail)
      }
    }
  }
}

extension TraceEvent {
  init(_ json: JSONValue) throws(JSONFields.Mismatch) {
    var fields = try EventFields(json)
    let kind = Kind.byWord[try fields.string()]
    let time = Instant(nanoseconds: try fields.integer())
    let lane = Lane(number: try fields.number32())
    let span = Span(id: try fields.number32())
    switch kind {
    case .submitted?:
      let parent = Span(id: try fields.number32())
      self = .submitted(
        span, in: parent, label: try fields.string(), kind: try fields.string(), at: time)
    case .listed?: self = .listed(span, in: try fields.string(), at: time)
    case .started?: self = .started(span, at: time)
    case .finished?:
      guard let outcome = Outcome(word: try fields.string()) else { throw EventFields.mismatch }
      let reason = try fields.string()
      // Older files do not have it.
      let says = fields.isAtEnd ? 0 : try fields.integer()
      self = .finished(span, outcome, because: reason, saysAllHaveEnded: says != 0, at: time)
    case .blocked?: self = .blocked(span, at: time)
    case .unblocked?: self = .unblocked(span, at: time)
    case .worked?:
      self = .worked(span, for: .zero, at: time)
      number = try fields.real()
    case .edge?:
      guard let edge = Edge(word: try fields.string()) else { throw EventFields.mismatch }
      self = .edge(edge, from: Span(id: try fields.number32()), to: span, at: time)
    case .counter?:
      self = .counter(try fields.string(), try fields.real(), of: span, at: time)
    case .mark?: self = .mark(try fields.string(), try fields.string(), of: span, at: time)
    case .misuse?: self = .misuse(try fields.string(), try fields.string(), of: span, at: time)
    case nil: throw EventFields.mismatch
    }
    self.lane = lane
    guard fields.isAtEnd else { throw EventFields.mismatch }
  }
}

/// The parts of an event, one after another.
private struct EventFields {
  static let mismatch = JSONFields.Mismatch(
    message: "an event should be a list of its kind, time, lane, span and what its kind has besides"
  )

  private var rest: ArraySlice<JSONValue>

  init(_ json: JSONValue) throws(JSONFields.Mismatch) {
    guard case .array(let values) = json else { throw EventFields.mismatch }
    rest = values[...]
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func string() throws(JSONFields.Mismatch) -> String {
    guard case .string(let string)? = rest.popFirst() else { throw EventFields.mismatch }
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

extension TraceEvent.Kind {
  fileprivate static let all: [TraceEvent.Kind] = [
    .submitted, .listed, .started, .finished, .blocked, .unblocked, .worked, .edge, .counter, .mark,
    .misuse,
  ]
  fileprivate static let byWord = Dictionary(uniqueKeysWithValues: all.map { ($0.word, $0) })

  fileprivate var word: String {
    switch self {
    case .submitted: "submitted"
    case .listed: "listed"
    case .started: "started"
    case .finished: "finished"
    case .blocked: "blocked"
    case .unblocked: "unblocked"
    case .worked: "worked"
    case .edge: "edge"
    case .counter: "counter"
    case .mark: "mark"
    case .misuse: "misuse"
    }
  }
}

extension TraceEvent.Outcome {
  fileprivate var word: String {
    switch self {
    case .success: "success"
    case .failure: "failure"
    case .cancelled: "cancelled"
    }
  }

  fileprivate init?(word: String) {
    switch word {
    case "success": self = .success
    case "failure": self = .failure
    case "cancelled": self = .cancelled
    default: return nil
    }
  }
}

extension TraceEvent.Edge {
  fileprivate init?(word: String) {
    switch EdgeRecord.Kind(rawValue: word) {
    case .spawned?: self = .spawned
    case .dependency?: self = .dependency
    case .resolvedBy?: self = .resolvedBy
    case .woke?: self = .woke
    case .permitFrom?: self = .permitFrom
    case nil: return nil
    }
  }
}
