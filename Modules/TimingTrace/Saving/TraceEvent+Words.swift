internal import AsyncPatterns

/// Events as versions 1 and 2 of the format have them: `["finished", time, lane, span, …]`, each by itself.
extension TraceEvent {
  /// - Parameter word: the kind; `fields` holds what comes after it.
  init(called word: String, _ fields: inout EventFields) throws(JSONFields.Mismatch) {
    let time = Instant(nanoseconds: try fields.integer())
    let lane = Lane(number: try fields.number32())
    let span = Span(id: try fields.number32())
    switch word {
    case "submitted":
      let parent = Span(id: try fields.number32())
      self = .submitted(
        span, in: parent, label: try fields.string(), kind: try fields.string(), at: time)
    case "listed": self = .listed(span, in: try fields.string(), at: time)
    case "started": self = .started(span, at: time)
    case "finished":
      let outcome: Outcome
      switch try fields.string() {
      case "success": outcome = .success
      case "failure": outcome = .failure
      case "cancelled": outcome = .cancelled
      default: throw EventFields.mismatch
      }
      let reason = try fields.string()
      // Version 1 does not have it.
      let says = fields.isAtEnd ? 0 : try fields.integer()
      self = .finished(
        span, outcome, because: reason, ending: says != 0 ? .saysAllHaveEnded : [], at: time)
    case "blocked": self = .blocked(span, at: time)
    case "unblocked": self = .unblocked(span, at: time)
    case "worked":
      self = .worked(span, for: .zero, at: time)
      number = try fields.real()
    case "edge":
      guard let kind = EdgeRecord.Kind(rawValue: try fields.string()) else {
        throw EventFields.mismatch
      }
      self = .edge(Edge(kind), from: Span(id: try fields.number32()), to: span, at: time)
    case "counter": self = .counter(try fields.string(), try fields.real(), of: span, at: time)
    case "mark": self = .mark(try fields.string(), try fields.string(), of: span, at: time)
    case "misuse": self = .misuse(try fields.string(), try fields.string(), of: span, at: time)
    default: throw EventFields.mismatch
    }
    self.lane = lane
    guard fields.isAtEnd else { throw EventFields.mismatch }
  }
}
