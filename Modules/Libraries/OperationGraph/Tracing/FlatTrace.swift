internal import AsyncRuntime

/// What a flat run records of its operations: each is a span from its start until its end counts, and waits for the
/// operations that it comes after.
///
/// Each end is recorded before anything that comes of it, by the thread on which it happened.
final class FlatTrace: Sendable {
  let run: GraphTrace
  private let spans: [Span]
  /// Why operations failed that end through their tokens.
  private let failures = Locked<[Int32: any Error]>([:])
  /// Since when each operation is ready: the last time at which one ended that it comes after.
  private let ready: Locked<[Instant]>

  /// The run begins.
  init(_ run: GraphTrace, _ table: OperationTable) {
    self.run = run
    spans = (0..<table.count).map { _ in run.nextSpan() }
    ready = Locked(Array(repeating: run.now, count: table.count))
    run.begin(spans, table)
  }

  func span(of operation: Int32) -> Span { spans[Int(operation)] }

  /// Starts the operation: what `body` does it does on behalf of it.
  func start(_ operation: Int32, _ body: () -> Void) {
    let span = span(of: operation)
    let ready = ready.withLock { $0[Int(operation)] }
    run.record(run.start(of: span, ready: ready, at: run.now))
    LaneContext.current.perform(for: span, body)
    run.noteHolder(span)
  }

  /// The operation has failed, and its end may count later.
  func note(_ failure: any Error, of operation: Int32) {
    failures.withLock { $0[operation] = failure }
  }

  /// The operation's end counts.
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

  /// The end of one operation has left its place, the last that was to be had, to another one, which is about to
  /// start.
  func passPlace(from one: Int32, to other: Int32, _ plan: GraphPlan) {
    guard !plan.successors(of: one).contains(other) else { return }
    let now = run.now
    ready.withLock { $0[Int(other)] = now }
    run.record(.awaited(span(of: other), Cause(.permit, span(of: one)), at: now))
  }
}
