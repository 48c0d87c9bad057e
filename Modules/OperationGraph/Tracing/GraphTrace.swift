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
    record(.started(span, at: now))
    for event in submissions(spans, of: table, from: 0, at: now) { record(event) }
  }

  /// Nothing is in flight any more.
  func end(_ failure: (any Error)?) -> TraceEvent {
    let (outcome, reason) = failure.traced
    return .finished(span, outcome, because: reason, ending: .saysAllHaveEnded, at: now)
  }

  /// Runs on behalf of whoever began the run, and not of the operation that ended last.
  func performForCaller(_ body: () -> Void) { LaneContext.current.perform(for: caller, body) }

  /// Whether an operation of the run, or what that has begun, is what the calling thread is at.
  var isInside: Bool { ![.none, caller, span].contains(LaneContext.current.span) }

  // MARK: Operations

  /// The run has these operations from now on.
  func submissions(
    _ spans: [Span], of table: OperationTable, from first: Int, at now: Instant
  ) -> [TraceEvent] {
    var events: [TraceEvent] = []
    for (offset, operation) in spans.enumerated() {
      events.append(submission(operation, of: Int32(first + offset), table, at: now))
    }
    for (operation, options) in table.options.entries(from: Int32(first)) {
      guard let word = options.priority.word else { continue }
      let name = table.name(of: operation)
      events.append(.mark("priority", "\(name), \(word)", of: span, at: now))
    }
    return events
  }

  func submission(
    _ operation: Span, of index: Int32, _ table: OperationTable, at now: Instant
  ) -> TraceEvent {
    .submitted(
      operation, in: span, label: table.name(of: index),
      kind: table.bodies[index] == nil ? "operation" : "loop", at: now)
  }

  /// An operation has ended. Not under a lock: what the failure says of itself is a user's.
  func recordEnd(of operation: Span, _ failure: (any Error)?, at now: Instant) {
    let (outcome, reason) = failure.traced
    record(.finished(operation, outcome, because: reason, at: now))
  }
}

extension (any Error)? {
  /// How a trace tells of it.
  fileprivate var traced: (TraceEvent.Outcome, String) {
    switch self {
    case nil: (.success, "")
    case is CancellationError: (.cancelled, "")
    case let error?: (.failure, String(describing: error))
    }
  }
}

extension OperationGraph.Priority {
  /// The word that traces know for it, if it is not the usual one.
  fileprivate var word: String? {
    if self == .normal { return nil }
    return self < .normal ? "low" : "high"
  }
}
