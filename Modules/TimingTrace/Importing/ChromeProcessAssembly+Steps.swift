internal import AsyncPatterns

/// What slices mean: steps of other programs, which tell little, and ours, which tell everything.
extension ChromeProcessAssembly {
  mutating func startForeign(
    _ event: ChromeEvent, in open: [Open], on lane: Lane, at time: Int64,
    _ names: ChromeEvent.Names
  ) -> UInt32 {
    let span = Span(id: nextSpan)
    nextSpan += 1
    let parent =
      open.isEmpty
      ? Self.root : Span(id: open[min(open.count, Self.deepest) - 1].span)
    let category = names[event.category]
    let kind = category.isEmpty ? "slice" : category
    let instant = Instant(nanoseconds: time)
    add(
      .submitted(span, in: parent, label: names[event.name], kind: kind, at: instant), on: lane)
    add(.started(span, at: instant), on: lane)
    foreignTimes[span.id] = (time, nil)
    return span.id
  }

  mutating func finishForeign(_ span: UInt32, at time: Int64, on lane: Lane) {
    let isInstant = foreignTimes[span]?.started == time
    foreignTimes[span]?.finished = time
    let order = isInstant ? drafts.count : -drafts.count
    add(
      .finished(Span(id: span), .success, at: Instant(nanoseconds: time)), on: lane, order: order)
  }

  mutating func submit(_ step: ChromeEvent.Step, _ label: String, on lane: Lane) {
    guard ownSpans.insert(step.span).inserted else { return }
    if step.parent == nil, ownRoot == nil { ownRoot = step.span }
    let span = Span(id: step.span)
    let time = Instant(nanoseconds: step.submitted)
    add(
      .submitted(
        span, in: Span(id: step.parent ?? 0), label: label, kind: step.pattern, at: time),
      on: lane, order: step.order.first)
    if let list = step.list {
      add(.listed(span, in: list, at: time), on: lane, order: step.order.first)
    }
  }

  mutating func start(_ step: ChromeEvent.Step, at time: Int64, on lane: Lane) {
    add(
      .started(Span(id: step.span), at: Instant(nanoseconds: time)), on: lane,
      order: step.order.dropFirst().first)
  }

  mutating func finish(_ step: ChromeEvent.Step, at time: Int64, on lane: Lane) {
    let span = Span(id: step.span)
    let instant = Instant(nanoseconds: time)
    let order = step.order.dropFirst().last
    if step.work > 0 {
      add(.worked(span, for: .nanoseconds(step.work), at: instant), on: lane, order: order)
    }
    let outcome: TraceEvent.Outcome
    switch step.outcome {
    case .success: outcome = .success
    case .failure: outcome = .failure
    case .cancelled: outcome = .cancelled
    case .unfinished, .skipped, .waiting: return
    }
    add(
      .finished(
        span, outcome, because: step.error, ending: step.ending, at: instant),
      on: step.finishLane.map { lanes.lane(named: $0) } ?? lane, order: order)
  }

  mutating func queue(_ step: ChromeEvent.Step, from: Int64, on lane: Lane) {
    let due = Instant(nanoseconds: from)
    let time = Instant(nanoseconds: from.addingClamped(step.queued ?? 0))
    add(.queued(Span(id: step.span), since: due, at: time), on: lane, order: step.order.first)
  }

  mutating func park(_ step: ChromeEvent.Step, from: Int64, to: Int64, on lane: Lane) {
    let span = Span(id: step.span)
    add(
      .blocked(span, at: Instant(nanoseconds: from)), on: lane, order: step.order.first ?? .max)
    guard step.outcome != .unfinished else {
      last = max(last, to)
      return
    }
    add(
      .unblocked(span, at: Instant(nanoseconds: to)), on: lane,
      order: step.order.dropFirst().first ?? (from == to ? .max : .min))
  }

  /// An edge that has no arrow: older files have none of those from the run's own step, or to it.
  mutating func wake(_ step: ChromeEvent.Step, at time: Int64, on lane: Lane) {
    guard let source = step.source, let edge = step.edge else { return }
    add(
      .edge(
        TraceEvent.Edge(edge), from: Span(id: source), to: Span(id: step.span),
        at: Instant(nanoseconds: time)), on: lane, order: step.order.first)
  }
}
