import AsyncPatterns

/// What people call the steps of a run: their paths, as its events give them.
struct SpanNames {
  private var paths: [Span: String] = [:]
  private var outermost: Set<Span> = []
  /// The tasks of Swift: no pattern says what they wait for.
  private var tasks: Set<Span> = []

  init(_ events: [TraceEvent]) {
    for event in events where event.kind == .submitted {
      if event.detail == "task" {
        // Its name tells it from all others.
        tasks.insert(event.span)
        paths[event.span] = event.name
        continue
      }
      // The outermost step is called by its own name, and goes without saying in the paths of others.
      if event.parent == .none { outermost.insert(event.span) }
      let parent = outermost.contains(event.parent) ? nil : paths[event.parent]
      paths[event.span] = parent.map { "\($0)/\(event.name)" } ?? event.name
    }
  }

  subscript(span: Span) -> String { paths[span] ?? "the run" }

  /// What events say, in a few words each.
  ///
  /// - Parameter actor: the name that stands before them: what a task of that name does goes without it.
  func tellings(_ events: ArraySlice<TraceEvent>, of actor: String) -> [String] {
    var reported: Set<String> = []
    return events.compactMap { event in
      if event.kind == .misuse { reported.insert(event.detail) }
      // What was reported just now need not be told twice.
      if event.outcome == .failure, reported.contains(event.detail) {
        return "\(self[event.span]) fails"
      }
      guard let telling = telling(event) else { return nil }
      let isItself = tasks.contains(event.span) && self[event.span] == actor
      return isItself ? String(telling.dropFirst(actor.count + 1)) : telling
    }
  }

  /// What an event says; nil for what nobody need be told.
  private func telling(_ event: TraceEvent) -> String? {
    let name = self[event.span]
    switch event.kind {
    case .started:
      return event.executor == .none
        ? "\(name) starts" : "\(name) starts on \(self[event.executor])"
    case .finished:
      switch event.outcome {
      case .success?, nil: return "\(name) finishes"
      case .failure?: return "\(name) fails (\(event.detail))"
      case .cancelled?: return "\(name) is cancelled"
      }
    case .blocked: return "\(name) stands blocked"
    case .unblocked: return "\(name) goes on"
    case .mark: return event.detailText.isEmpty ? event.name : "\(event.name) (\(event.detailText))"
    case .misuse:
      // The way out stands behind the semicolon, and is told with the finding.
      return "\(event.name): \(event.detail.prefix { $0 != ";" })"
    case .counter: return "\(event.name) = \(event.number)"
    case .suspended where !event.detail.isEmpty: return "\(name) waits for \(event.detail)"
    case .resumed where tasks.contains(event.span):
      return event.executor == .none
        ? "\(name) continues" : "\(name) continues on \(self[event.executor])"
    case .submitted, .listed, .awaited, .suspended, .resumed, .cancelled, .worked: return nil
    }
  }
}
