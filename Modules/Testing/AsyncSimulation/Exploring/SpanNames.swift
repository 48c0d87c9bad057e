import AsyncPatterns

/// Readable names for the steps of a run: their paths, which the events of the run show.
struct SpanNames {
  private var paths: [Span: String] = [:]
  private var outermost: Set<Span> = []
  /// The Swift tasks. Their resumptions are described, since no pattern says what they waited for.
  private var tasks: Set<Span> = []

  init(_ events: [TraceEvent]) {
    for event in events where event.kind == .submitted {
      if event.detail == "task" {
        // The name of a task is unique.
        tasks.insert(event.span)
        paths[event.span] = event.name
        continue
      }
      // The outermost step has its own name, which the paths of other steps leave out.
      if event.parent == .none { outermost.insert(event.span) }
      let parent = outermost.contains(event.parent) ? nil : paths[event.parent]
      paths[event.span] = parent.map { "\($0)/\(event.name)" } ?? event.name
    }
  }

  subscript(span: Span) -> String { paths[span] ?? "the run" }

  /// Describes events, in a few words each.
  ///
  /// - Parameter actor: the name that is shown before the descriptions. An event of the task with this name is
  ///   described without the name.
  func descriptions(_ events: ArraySlice<TraceEvent>, of actor: String) -> [String] {
    var reported: Set<String> = []
    return events.compactMap { event in
      if event.kind == .misuse { reported.insert(event.detail) }
      // A failure that was just reported need not be described again.
      if event.outcome == .failure, reported.contains(event.detail) {
        return "\(self[event.span]) fails"
      }
      guard let description = description(event) else { return nil }
      let isItself = tasks.contains(event.span) && self[event.span] == actor
      return isItself ? String(description.dropFirst(actor.count + 1)) : description
    }
  }

  /// Describes an event; nil if the event need not be shown.
  private func description(_ event: TraceEvent) -> String? {
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
    case .blocked: return "\(name) is blocked"
    case .unblocked: return "\(name) is unblocked"
    case .mark: return event.detailText.isEmpty ? event.name : "\(event.name) (\(event.detailText))"
    case .misuse:
      // The fix follows the semicolon, and is shown with the finding.
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
