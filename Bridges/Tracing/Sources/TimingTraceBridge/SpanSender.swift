internal import AsyncPatterns
internal import TimingTrace
internal import Tracing

/// Makes the spans of a tracer out of the events of a run.
///
/// What is to be done is decided under a lock, the tracer is called after it.
final class SpanSender: Sendable {
  private let tracer: any Tracer
  private let outer: ServiceContext
  private let clock: WallClock
  private let state = Locked(State())

  private struct State: Sendable {
    var steps: [AsyncPatterns.Span: SentStep] = [:]
    /// When the first of them was submitted.
    var origin: AsyncPatterns.Instant?
    /// When something last started or ended.
    var last = AsyncPatterns.Instant.zero
    /// How long what was queued last for each lane waited, in nanoseconds.
    var lastQueued: [Lane: Int64] = [:]
  }

  /// - Parameter context: what the run is a part of.
  init(_ tracer: any Tracer, in context: ServiceContext, by clock: WallClock) {
    self.tracer = tracer
    outer = context
    self.clock = clock
  }

  func send(_ event: TraceEvent) {
    switch event.kind {
    case .submitted: submit(event)
    case .listed: update(event.span) { $0.list = event.name }
    case .started: start(event)
    case .finished: finish(event)
    case .worked: update(event.span) { $0.work += Int64(exactly: event.number.rounded()) ?? 0 }
    case .blocked: update(event.span) { $0.parked[event.lane] = event.time }
    case .unblocked: unblock(event)
    case .queued: addQueued(event)
    case .edge: link(event)
    case .mark: add(event.name, event, ["detail": .string(event.detail)])
    case .misuse:
      add(event.name, event, ["detail": .string(event.detail), "misuse": .bool(true)])
    case .counter: break
    }
  }

  func context(of span: AsyncPatterns.Span) -> ServiceContext {
    state.withLock { $0.steps[span]?.context } ?? outer
  }

  func endOpenSpans() {
    let (open, now) = state.withLock { state -> ([SentStep], AsyncPatterns.Instant) in
      let open = state.steps.filter { $0.value.span != nil }
      for span in open.keys { state.steps[span]?.span = nil }
      // Parts before what they are a part of.
      return (open.sorted { $0.key > $1.key }.map(\.value), state.last)
    }
    for step in open { end(step, "unfinished", at: now) }
  }

  // MARK: Steps

  private func submit(_ event: TraceEvent) {
    state.withLock { state in
      if state.origin == nil { state.origin = event.time }
      guard state.steps[event.span] == nil else { return }
      state.steps[event.span] = SentStep(
        label: event.name, pattern: event.detail, parent: event.other, submitted: event.time)
    }
  }

  private func start(_ event: TraceEvent) {
    let known = state.withLock { state -> (SentStep, ServiceContext?, Int64)? in
      guard let step = state.steps[event.span], step.context == nil else { return nil }
      state.last = max(state.last, event.time)
      let wait = step.submitted.nanoseconds - (state.origin ?? step.submitted).nanoseconds
      return (step, state.steps[step.parent]?.context, wait)
    }
    guard let (step, parent, submitted) = known else { return }
    let span = tracer.startSpan(
      step.label, context: parent ?? outer, ofKind: .internal,
      at: clock.timestamp(of: event.time), function: "", file: "", line: 0)
    span.updateAttributes { attributes in
      attributes["step.pattern"] = step.pattern
      attributes["step.submitted_ns"] = submitted
      attributes["step.lane"] = event.lane == .main ? "main" : "lane-\(event.lane.number)"
      if let list = step.list { attributes["step.list"] = list }
    }
    let links = state.withLock { state -> [SpanLink] in
      let edges = state.steps[event.span]?.edges ?? []
      state.steps[event.span]?.span = span
      state.steps[event.span]?.started = event.time
      state.steps[event.span]?.context = span.context
      state.steps[event.span]?.edges = []
      return edges.compactMap { edge in
        state.steps[edge.from]?.context.map { SpanLink(edge.kind, to: $0) }
      }
    }
    for link in links { span.addLink(link) }
  }

  private func finish(_ event: TraceEvent) {
    let (step, lastOnLane) = state.withLock { state -> (SentStep?, Int64) in
      state.last = max(state.last, event.time)
      defer { state.steps[event.span]?.span = nil }
      return (state.steps[event.span], state.lastQueued[event.lane] ?? 0)
    }
    guard let step, let span = step.span else { return }
    switch event.outcome {
    case .success?, nil: span.setStatus(SpanStatus(code: .ok))
    case .failure?: span.setStatus(SpanStatus(code: .error, message: event.detail))
    // What was called off is no error.
    case .cancelled?: break
    }
    // What a timer of a pattern around it has cut off ended as late as that went off, on this lane.
    let isCutOff = event.outcome != .success && event.ending.contains(.byTimer)
    let queued = isCutOff ? lastOnLane : step.lastQueued
    end(
      step, event.outcome?.word ?? "success", at: event.time,
      late: event.ending.contains(.afterWait)
        ? min(queued, event.time.nanoseconds - step.started.nanoseconds) : 0)
  }

  private func end(
    _ step: SentStep, _ outcome: String, at time: AsyncPatterns.Instant, late: Int64 = 0
  ) {
    guard let span = step.span else { return }
    span.updateAttributes { attributes in
      attributes["step.outcome"] = outcome
      attributes["step.work_ns"] = step.work
      attributes["step.blocked_ns"] = step.blocked
      if late > 0 { attributes["step.late_ns"] = late }
    }
    span.end(at: clock.timestamp(of: time))
  }

  private func update(_ span: AsyncPatterns.Span, _ change: (inout SentStep) -> Void) {
    state.withLock { state in
      guard var step = state.steps[span] else { return }
      change(&step)
      state.steps[span] = step
    }
  }

  // MARK: What happens to them

  private func unblock(_ event: TraceEvent) {
    let parking = state.withLock {
      state -> (span: any Tracing.Span, since: AsyncPatterns.Instant)? in
      guard let since = state.steps[event.span]?.parked.removeValue(forKey: event.lane) else {
        return nil
      }
      state.steps[event.span]?.blocked += event.time.nanoseconds - since.nanoseconds
      return state.steps[event.span]?.span.map { ($0, since) }
    }
    guard let parking else { return }
    let length = event.time.nanoseconds - parking.since.nanoseconds
    add(.blocked, length, from: parking.since, to: parking.span)
  }

  private func addQueued(_ event: TraceEvent) {
    let length = Int64(exactly: event.number.rounded()) ?? 0
    update(event.span) { $0.lastQueued = length }
    state.withLock { $0.lastQueued[event.lane] = length }
    guard let span = state.withLock({ $0.steps[event.span]?.span }) else { return }
    let due = AsyncPatterns.Instant(nanoseconds: event.time.nanoseconds - length)
    add(.queued, length, from: due, to: span)
  }

  private func add(
    _ kind: IntervalRecord.Kind, _ length: Int64, from start: AsyncPatterns.Instant,
    to span: any Tracing.Span
  ) {
    span.addEvent(
      SpanEvent(
        name: kind.rawValue, at: clock.timestamp(of: start),
        attributes: ["duration_ns": .int64(length)]))
  }

  private func link(_ event: TraceEvent) {
    guard let kind = event.edge else { return }
    let ready = state.withLock { state -> (any Tracing.Span, SpanLink)? in
      guard let step = state.steps[event.span], let source = state.steps[event.other] else {
        return nil
      }
      guard let span = step.span, let context = source.context else {
        // Most edges come before what they lead to starts.
        if step.context == nil { state.steps[event.span]?.edges.append((event.other, kind)) }
        return nil
      }
      return (span, SpanLink(kind, to: context))
    }
    if let (span, link) = ready { span.addLink(link) }
  }

  private func add(_ name: String, _ event: TraceEvent, _ attributes: SpanAttributes) {
    guard let span = state.withLock({ $0.steps[event.span]?.span }) else { return }
    span.addEvent(
      SpanEvent(name: name, at: clock.timestamp(of: event.time), attributes: attributes))
  }
}

/// What is known of a step of which the tracer has a span, or will have.
private struct SentStep: Sendable {
  let label: String
  let pattern: String
  let parent: AsyncPatterns.Span
  let submitted: AsyncPatterns.Instant
  var started = AsyncPatterns.Instant.zero
  var list: String?
  /// While it runs.
  var span: (any Tracing.Span)?
  /// From its start, also after its end: others link to it.
  var context: ServiceContext?
  /// Those that lead to it, until it starts.
  var edges: [(from: AsyncPatterns.Span, kind: TraceEvent.Edge)] = []
  /// Which lanes stand parked on its behalf, and since when.
  var parked: [Lane: AsyncPatterns.Instant] = [:]
  var blocked: Int64 = 0
  /// How long it last waited for its lane when it was to go on, in nanoseconds.
  var lastQueued: Int64 = 0
  var work: Int64 = 0
}

extension SpanLink {
  init(_ edge: TraceEvent.Edge, to context: ServiceContext) {
    self.init(
      context: context,
      attributes: [EdgeRecord.attribute: .string(EdgeRecord.Kind(edge).rawValue)])
  }
}

extension TraceEvent.Outcome {
  /// As records spell it.
  var word: String {
    switch self {
    case .success: "success"
    case .failure: "failure"
    case .cancelled: "cancelled"
    }
  }
}
