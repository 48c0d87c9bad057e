internal import AsyncPatterns
internal import TimingTrace
internal import Tracing

/// Makes spans of a tracer from the events of a run.
///
/// Decisions are made under a lock; the tracer is called after the lock is released.
final class SpanSender: Sendable {
  private let tracer: any Tracer
  private let outer: ServiceContext
  private let clock: WallClock
  private let state = Locked(State())

  private struct State: Sendable {
    var steps: [AsyncPatterns.Span: SentStep] = [:]
    /// When the first step was submitted.
    var origin: AsyncPatterns.Instant?
    /// When a step last started or ended.
    var last = AsyncPatterns.Instant.zero

    /// How late an end came because a lane was not free. The lane is that of the step's own code, or of the span that
    /// cancelled the step.
    func lateness(of end: TraceEvent) -> Int64 {
      guard let step = steps[end.span] else { return 0 }
      let canceller = end.cause.kind == .cancellation ? end.cause : end.after
      let isCancelled = canceller.kind == .cancellation
      guard isCancelled || end.cause.kind != .end else { return 0 }
      let source = isCancelled ? steps[canceller.span] : step
      guard let (time, queued) = source?.lastResumption,
        time.duration(to: end.time) <= .milliseconds(1)
      else { return 0 }
      return max(min(queued, time.nanoseconds - step.started.nanoseconds), 0)
    }
  }

  /// - Parameter context: the context that contains the parent of the run.
  init(_ tracer: any Tracer, in context: ServiceContext, by clock: WallClock) {
    self.tracer = tracer
    outer = context
    self.clock = clock
  }

  func send(_ event: TraceEvent) {
    switch event.kind {
    case .submitted: submit(event)
    case .listed: update(event.span) { $0.list = event.name }
    case .awaited: link(event)
    case .started: start(event)
    case .resumed: resume(event)
    case .finished: finish(event)
    case .worked: update(event.span) { $0.work += Int64(exactly: event.number.rounded()) ?? 0 }
    case .blocked: update(event.span) { $0.blocking[event.lane] = event.time }
    case .unblocked: unblock(event)
    case .mark: add(event.name, event, ["detail": .string(event.detail)])
    case .misuse:
      add(event.name, event, ["detail": .string(event.detail), "misuse": .bool(true)])
    case .suspended, .cancelled, .counter: break
    }
  }

  func context(of span: AsyncPatterns.Span) -> ServiceContext {
    state.withLock { $0.steps[span]?.context } ?? outer
  }

  func endOpenSpans() {
    let (open, now) = state.withLock { state -> ([SentStep], AsyncPatterns.Instant) in
      let open = state.steps.filter { $0.value.span != nil }
      for span in open.keys { state.steps[span]?.span = nil }
      // Children end before their parents.
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
        label: event.name, pattern: event.detail, parent: event.parent, submitted: event.time)
    }
    link(event)
  }

  private func start(_ event: TraceEvent) {
    link(event)
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
    // One of the steps decided how the pattern ended, and the pattern had not awaited all of them.
    if event.cause.kind == .end, !event.awaitsAll { link(event, .resolvedBy) }
    let (step, late) = state.withLock { state -> (SentStep?, Int64) in
      state.last = max(state.last, event.time)
      defer { state.steps[event.span]?.span = nil }
      return (state.steps[event.span], state.lateness(of: event))
    }
    guard let step, let span = step.span else { return }
    switch event.outcome {
    case .success?, nil: span.setStatus(SpanStatus(code: .ok))
    case .failure?: span.setStatus(SpanStatus(code: .error, message: event.detail))
    // A cancellation is not an error.
    case .cancelled?: break
    }
    end(step, event.outcome?.word ?? "success", at: event.time, late: late)
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

  // MARK: Events of steps

  private func unblock(_ event: TraceEvent) {
    link(event)
    let blocking = state.withLock {
      state -> (span: any Tracing.Span, since: AsyncPatterns.Instant)? in
      guard let since = state.steps[event.span]?.blocking.removeValue(forKey: event.lane) else {
        return nil
      }
      state.steps[event.span]?.blocked += event.time.nanoseconds - since.nanoseconds
      return state.steps[event.span]?.span.map { ($0, since) }
    }
    guard let blocking else { return }
    let length = event.time.nanoseconds - blocking.since.nanoseconds
    add(.blocked, length, from: blocking.since, to: blocking.span)
  }

  private func resume(_ event: TraceEvent) {
    // The cause of the resumption is an edge; the earlier causes of the wait are not.
    if event.cause.kind == .wakeUp || event.cause.kind == .permit { link(event) }
    let length = event.cause.kind == .lane ? Int64(exactly: event.number.rounded()) ?? 0 : 0
    update(event.span) { $0.lastResumption = (event.time, length) }
    guard length > 0, let span = state.withLock({ $0.steps[event.span]?.span }) else { return }
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

  /// Links a step to the span of its cause.
  ///
  /// - Parameter known: the kind of the edge, if the cause alone does not determine it.
  private func link(_ event: TraceEvent, _ known: EdgeRecord.Kind? = nil) {
    let cause = event.cause.kind == .lane ? event.after : event.cause
    guard let kind = known ?? EdgeRecord.Kind(cause) else { return }
    // A step that is started or resumed by its pattern gets no edge for that.
    guard kind != .spawned || event.kind == .submitted else { return }
    let ready = state.withLock { state -> (any Tracing.Span, SpanLink)? in
      guard let step = state.steps[event.span], let source = state.steps[cause.span],
        cause.span != event.span
      else { return nil }
      guard let span = step.span, let context = source.context else {
        // Most causes are recorded before the step starts.
        if step.context == nil { state.steps[event.span]?.edges.append((cause.span, kind)) }
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

/// The state of a step for which the tracer has a span or will get one.
private struct SentStep: Sendable {
  let label: String
  let pattern: String
  let parent: AsyncPatterns.Span
  let submitted: AsyncPatterns.Instant
  var started = AsyncPatterns.Instant.zero
  var list: String?
  /// The span, while the step runs.
  var span: (any Tracing.Span)?
  /// The context from the start of the step on. It is kept after the end, because other steps link to it.
  var context: ServiceContext?
  /// The edges that lead to the step, until it starts.
  var edges: [(from: AsyncPatterns.Span, kind: EdgeRecord.Kind)] = []
  /// The lanes that are blocked for the step, and since when.
  var blocking: [Lane: AsyncPatterns.Instant] = [:]
  var blocked: Int64 = 0
  /// When the step last continued, and how long it had then waited for its lane, in nanoseconds.
  var lastResumption: (time: AsyncPatterns.Instant, queued: Int64)?
  var work: Int64 = 0
}

extension SpanLink {
  init(_ kind: EdgeRecord.Kind, to context: ServiceContext) {
    self.init(context: context, attributes: [EdgeRecord.attribute: .string(kind.rawValue)])
  }
}

extension TraceEvent.Outcome {
  /// The word that records use.
  var word: String {
    switch self {
    case .success: "success"
    case .failure: "failure"
    case .cancelled: "cancelled"
    }
  }
}
