import AsyncPatterns

/// What people call the steps of a run: their paths, as its events give them.
struct SpanNames {
  private var paths: [Span: String] = [:]

  init(_ events: [TraceEvent]) {
    for event in events where event.kind == .submitted {
      let parent = paths[event.other]
      // The outermost step is the whole, and goes without saying.
      paths[event.span] =
        event.other == .none ? "" : parent.map { $0.isEmpty ? event.name : "\($0)/\(event.name)" }
    }
    for (span, path) in paths where path.isEmpty { outermost[span] = true }
  }

  private var outermost: [Span: Bool] = [:]

  subscript(span: Span) -> String {
    if let path = paths[span], !path.isEmpty { path } else { "the whole" }
  }

  /// What an event says, in a few words; nil for what nobody need be told.
  func telling(_ event: TraceEvent) -> String? {
    let name = self[event.span]
    switch event.kind {
    case .started: return "\(name) starts"
    case .finished:
      switch event.outcome {
      case .success?, nil: return "\(name) finishes"
      case .failure?: return "\(name) fails (\(event.detail))"
      case .cancelled?: return "\(name) is cancelled"
      }
    case .blocked: return "\(name) stands blocked"
    case .unblocked: return "\(name) goes on"
    case .mark: return event.detail.isEmpty ? event.name : "\(event.name) (\(event.detail))"
    case .misuse: return "\(event.name): \(event.detail)"
    case .counter: return "\(event.name) = \(event.number)"
    case .submitted, .listed, .worked, .edge: return nil
    }
  }
}
