import AsyncPatterns

/// The steps of a run that have not finished, according to its events.
struct UnfinishedSteps {
  struct Step {
    var label: String
    let kind: String
    let parent: Span
    /// The name of the list in which the step was written, if it was in one.
    var list: String?
    var started: Instant?
    /// Its parts that have not finished, in order.
    var parts: [Span] = []
    var hasParts = false
  }

  private var steps: [Span: Step] = [:]
  /// The steps that have finished, for their names.
  private var finished: [Span: Step] = [:]
  /// The steps that no other step started.
  private(set) var outermost: [Span] = []

  init(_ events: [TraceEvent]) {
    var order: [Span] = []
    for event in events {
      switch event.kind {
      case .submitted:
        steps[event.span] = Step(label: event.name, kind: event.detail, parent: event.parent)
        order.append(event.span)
      case .listed: steps[event.span]?.list = event.name
      case .mark where event.role == .spanName: steps[event.span]?.label = event.detail
      case .started:
        if steps[event.span]?.started == nil { steps[event.span]?.started = event.time }
      case .finished:
        if let step = steps.removeValue(forKey: event.span) { finished[event.span] = step }
      default: break
      }
    }
    for span in order {
      if let parent = self[span]?.parent {
        if steps[parent] != nil { steps[parent]?.hasParts = true }
        if steps[span] != nil { steps[parent]?.parts.append(span) }
      }
      if let step = steps[span], step.parent == .none { outermost.append(span) }
    }
  }

  /// A step, finished or not.
  private subscript(span: Span) -> Step? { steps[span] ?? finished[span] }

  /// The step; nil if it has finished or is unknown.
  func step(_ span: Span) -> Step? { steps[span] }

  /// The parts of a step that have started and not finished.
  func startedParts(of span: Span) -> [Span] {
    steps[span]?.parts.filter { steps[$0]?.started != nil } ?? []
  }

  /// The parts of a step that have not finished.
  func parts(of span: Span) -> [Span] { steps[span]?.parts ?? [] }

  /// The first unstarted part of a step.
  func firstUnstartedPart(of span: Span) -> Span? {
    steps[span]?.parts.first { steps[$0]?.started == nil }
  }

  /// The path of a step, as in the record of its run; nil if the span is not a known step.
  func path(of span: Span) -> String? {
    guard var step = self[span] else { return nil }
    // The step of the run itself is named by its label, and is not part of the paths of others.
    guard step.parent != .none else { return step.label }
    var parts: [String] = []
    while step.parent != .none {
      parts.append(step.list.map { "\($0)/\(step.label)" } ?? step.label)
      guard let parent = self[step.parent] else { break }
      step = parent
    }
    return parts.reversed().joined(separator: "/")
  }
}
