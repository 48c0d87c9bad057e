internal import AsyncRuntime

/// The events that a run records about itself in the trace of its runtime. The run is a span, a child of the current
/// span of the thread that started it. Its operations are child spans of the run.
///
/// `CoordinatedTrace` records the operations. There is no `GraphTrace` if the runtime has no trace, or if other code
/// records the run, as patterns do for their steps.
struct GraphTrace: Sendable {
  private let sink: any TraceSink
  private let runtime: any Runtime
  private let span: Span
  private let label: String
  /// The span that started the run.
  private let caller: Span

  /// - Parameter label: the name of the run in the trace; nil if other code records the run.
  init?(_ label: String?, on runtime: any Runtime) {
    guard let label, let sink = runtime.trace else { return nil }
    span = sink.nextSpan()
    guard span != .none else { return nil }
    (self.sink, self.runtime, self.label) = (sink, runtime, label)
    caller = LaneContext.current.span
  }

  var now: Instant { runtime.now }

  func record(_ event: TraceEvent) { sink.record(event) }

  /// A new span for an operation, or for another attempt of it.
  func nextSpan() -> Span { sink.nextSpan() }

  // MARK: The run

  /// Records the start of the run, and its operations.
  ///
  /// - Parameter spans: the spans of the operations, in their order.
  func begin(_ spans: [Span], _ table: OperationTable) {
    let now = now
    record(.submitted(span, in: caller, label: label, kind: "graph", at: now))
    record(.started(span, because: LaneContext.current.cause(for: span), at: now))
    for event in submissions(spans, of: table, from: 0, at: now) { record(event) }
  }

  /// The event for the resumption of the run by a timer. The run set the timer when the operation ended.
  func resumption(byTimerSet set: Instant, after operation: Span, at now: Instant) -> TraceEvent {
    .resumed(span, byTimerSet: set, because: Cause(.end, operation), at: now)
  }

  /// The event for the end of the run, when no operation is in flight. The run ends after all its operations.
  func end(_ failure: (any Error)?) -> TraceEvent {
    let outcome = failure.outcome
    return .finished(
      span, outcome,
      because: outcome == .cancelled ? LaneContext.current.cause(for: span) : .itself,
      reason: failure.reason, awaitsAll: true, at: now)
  }

  /// Runs `body` in the span of the code that started the graph, with the end of the graph as the cause.
  func performForCaller(_ body: () -> Void) {
    LaneContext.current.perform(for: caller, because: Cause(.end, span), body)
  }

  /// Whether the calling thread runs an operation of the run, or code that an operation started.
  var isInside: Bool { ![.none, caller, span].contains(LaneContext.current.span) }

  // MARK: Operations

  /// The events that report these operations as new operations of the run.
  func submissions(
    _ spans: [Span], of table: OperationTable, from first: Int, at now: Instant
  ) -> [TraceEvent] {
    var events: [TraceEvent] = []
    let asker = isInside ? LaneContext.current.span : .none
    for (offset, operation) in spans.enumerated() {
      events.append(submission(operation, of: Int32(first + offset), table, by: asker, at: now))
    }
    for (operation, options) in table.options.entries(from: Int32(first)) {
      guard let role = options.priority.role else { continue }
      events.append(.mark("priority", table.name(of: operation), role: role, of: span, at: now))
    }
    return events
  }

  func submission(
    _ operation: Span, of index: Int32, _ table: OperationTable, by asker: Span = .none,
    at now: Instant
  ) -> TraceEvent {
    .submitted(
      operation, in: span, label: table.name(of: index),
      kind: table.bodies[index] == nil ? "operation" : "loop", by: asker, at: now)
  }

  /// The event for the start of an operation on the calling thread. The operation starts because of the ends that it
  /// has awaited.
  ///
  /// - Parameter ready: the time from which the operation could have started if its lane had been free.
  func start(of operation: Span, ready: Instant, at now: Instant) -> TraceEvent {
    let holder = LaneContext.current.holder(since: ready, in: sink)
    guard holder != .none, runtime.isWait(ready.duration(to: now)) else {
      return .started(operation, at: now)
    }
    return .started(operation, because: .itself, ready: ready, behind: holder, at: now)
  }

  /// Notes that an operation has returned on the calling thread. On the live clock its code may have held the lane
  /// until now.
  func noteHolder(_ operation: Span) {
    guard runtime.clockKind == .live else { return }
    LaneContext.current.noteHolder(operation, until: now, in: sink)
  }

  /// The event for the end of an operation. `record(_:_:)` adds the reason of a failure.
  func end(of operation: Span, _ failure: (any Error)?, at now: Instant) -> TraceEvent {
    let (context, outcome) = (LaneContext.current, failure.outcome)
    let isCancelled = outcome == .cancelled && context.span != operation
    return .finished(
      operation, outcome, because: isCancelled ? context.canceller : context.cause(for: operation),
      at: now)
  }

  /// Records the end of an operation. Must not be called under a lock, because the description of a failure is the
  /// user's code.
  func record(_ end: TraceEvent, _ failure: (any Error)?) {
    var end = end
    end.detail = failure.reason
    if end.cause.kind == .timer, failure is TimedOut { end.role = .timedOut }
    record(end)
  }
}

extension (any Error)? {
  fileprivate var outcome: TraceEvent.Outcome {
    switch self {
    case nil: .success
    case is CancellationError: .cancelled
    case _?: .failure
    }
  }

  /// The reason of a failure, as text for the trace.
  fileprivate var reason: String {
    if let self, outcome == .failure { String(describing: self) } else { "" }
  }
}

extension Priority {
  /// The role of the priority in a trace; nil for the normal priority.
  fileprivate var role: TraceEvent.Role? {
    if self == .normal { return nil }
    return self < .normal ? .lowPriority : .highPriority
  }
}
