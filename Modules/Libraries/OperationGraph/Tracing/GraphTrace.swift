internal import AsyncRuntime

/// What a run tells the trace of its runtime of itself: that it is a span, a part of what the thread was at that
/// began it, with its operations as parts.
///
/// The two ways to run a graph tell of operations as they see them: see `FlatTrace` and `CoordinatedTrace`.
/// There is none if nobody listens, or if somebody else tells of the run, as patterns do of their steps.
struct GraphTrace: Sendable {
  private let sink: any TraceSink
  private let runtime: any Runtime
  private let span: Span
  private let label: String
  /// On whose behalf the run was begun.
  private let caller: Span

  /// - Parameter label: what the trace calls the run; nil if somebody else tells of it.
  init?(_ label: String?, on runtime: any Runtime) {
    guard let label, let sink = runtime.trace else { return nil }
    span = sink.nextSpan()
    guard span != .none else { return nil }
    (self.sink, self.runtime, self.label) = (sink, runtime, label)
    caller = LaneContext.current.span
  }

  var now: Instant { runtime.now }

  func record(_ event: TraceEvent) { sink.record(event) }

  /// A place for an operation, or for another attempt of it.
  func nextSpan() -> Span { sink.nextSpan() }

  // MARK: The run

  /// The run begins, and it has these operations.
  ///
  /// - Parameter spans: of the operations, in their order.
  func begin(_ spans: [Span], _ table: OperationTable) {
    let now = now
    record(.submitted(span, in: caller, label: label, kind: "graph", at: now))
    record(.started(span, because: LaneContext.current.cause(for: span), at: now))
    for event in submissions(spans, of: table, from: 0, at: now) { record(event) }
  }

  /// The run continues by a timer that it set when the operation ended.
  func resumption(byTimerSet set: Instant, after operation: Span, at now: Instant) -> TraceEvent {
    .resumed(span, byTimerSet: set, because: Cause(.end, operation), at: now)
  }

  /// Nothing is in flight any more. The run has come after the ends of all its operations.
  func end(_ failure: (any Error)?) -> TraceEvent {
    let outcome = failure.outcome
    return .finished(
      span, outcome,
      because: outcome == .cancelled ? LaneContext.current.cause(for: span) : .itself,
      reason: failure.reason, awaitsAll: true, at: now)
  }

  /// Runs `body` on behalf of the code that started the graph; its cause is the end of the graph.
  func performForCaller(_ body: () -> Void) {
    LaneContext.current.perform(for: caller, because: Cause(.end, span), body)
  }

  /// Whether an operation of the run, or what that has begun, is what the calling thread is at.
  var isInside: Bool { ![.none, caller, span].contains(LaneContext.current.span) }

  // MARK: Operations

  /// The run has these operations from now on.
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

  /// An operation starts on the calling thread, because of what it has awaited.
  ///
  /// - Parameter ready: since when it could have started, had its lane been free.
  func start(of operation: Span, ready: Instant, at now: Instant) -> TraceEvent {
    let holder = LaneContext.current.holder(since: ready, in: sink)
    guard holder != .none, runtime.isWait(ready.duration(to: now)) else {
      return .started(operation, at: now)
    }
    return .started(operation, because: .itself, ready: ready, behind: holder, at: now)
  }

  /// An operation has returned on the calling thread. On the live clock its code may have held the lane until now.
  func noteHolder(_ operation: Span) {
    guard runtime.clockKind == .live else { return }
    LaneContext.current.noteHolder(operation, until: now, in: sink)
  }

  /// An operation has ended; `record(_:_:)` adds why it failed.
  func end(of operation: Span, _ failure: (any Error)?, at now: Instant) -> TraceEvent {
    let (context, outcome) = (LaneContext.current, failure.outcome)
    let isCancelled = outcome == .cancelled && context.span != operation
    return .finished(
      operation, outcome, because: isCancelled ? context.canceller : context.cause(for: operation),
      at: now)
  }

  /// Not under a lock: the description of a failure is a user's code.
  func record(_ end: TraceEvent, _ failure: (any Error)?) {
    var end = end
    end.detail = failure.reason
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

  /// Why an operation failed, in the words of a trace.
  fileprivate var reason: String {
    if let self, outcome == .failure { String(describing: self) } else { "" }
  }
}

extension OperationGraph.Priority {
  /// What a trace records of it, if it is not the usual one.
  fileprivate var role: TraceEvent.Role? {
    if self == .normal { return nil }
    return self < .normal ? .lowPriority : .highPriority
  }
}
