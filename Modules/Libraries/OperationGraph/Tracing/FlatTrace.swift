internal import AsyncRuntime

/// The trace of a flat run's operations. Each is a span from its start until its end takes effect, and awaits its
/// predecessors.
///
/// The thread where an operation ended records the end, before it records any effect of the end.
final class FlatTrace: Sendable {
  let run: GraphTrace
  private let spans: [Span]
  /// The failures of operations that end through their tokens.
  private let failures = Locked<[Int32: any Error]>([:])
  /// When each operation became ready: the latest end of a predecessor.
  private let ready: Locked<[Instant]>

  /// Records the start of the run.
  init(_ run: GraphTrace, _ table: OperationTable) {
    self.run = run
    spans = (0..<table.count).map { _ in run.nextSpan() }
    ready = Locked(Array(repeating: run.now, count: table.count))
    run.begin(spans, table)
  }

  func span(of operation: Int32) -> Span { spans[Int(operation)] }

  /// Starts the operation. The work of `body` is attributed to its span.
  func start(_ operation: Int32, _ body: () -> Void) {
    let span = span(of: operation)
    let ready = ready.withLock { $0[Int(operation)] }
    run.record(run.start(of: span, ready: ready, at: run.now))
    LaneContext.current.perform(for: span, body)
    run.noteHolder(span)
  }

  /// Notes that the operation has failed. Its end may take effect later.
  func note(_ failure: any Error, of operation: Int32) {
    failures.withLock { $0[operation] = failure }
  }

  /// Records the end of the operation when it takes effect.
  func end(_ operation: Int32, _ failure: (any Error)?, _ plan: GraphPlan) {
    let (now, span) = (run.now, span(of: operation))
    let failure = failure ?? failures.withLock { $0[operation] }
    run.record(run.end(of: span, failure, at: now), failure)
    // After a failure nothing more starts.
    guard failure == nil else { return }
    ready.withLock { ready in
      for successor in plan.successors(of: operation) { ready[Int(successor)] = now }
    }
    for successor in plan.successors(of: operation) {
      run.record(.awaited(self.span(of: successor), Cause(.end, span), at: now))
    }
  }

  /// Records that the end of one operation freed the last place for another one, which is about to start.
  func passPlace(from one: Int32, to other: Int32, _ plan: GraphPlan) {
    guard !plan.successors(of: one).contains(other) else { return }
    let now = run.now
    ready.withLock { $0[Int(other)] = now }
    run.record(.awaited(span(of: other), Cause(.permit, span(of: one)), at: now))
  }
}
