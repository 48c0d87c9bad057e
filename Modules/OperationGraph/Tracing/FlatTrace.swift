/// What a flat run tells the trace of its operations: each is a span from when it starts until its end counts,
/// and has edges to those that come after it.
///
/// Each end is told before anything that comes of it, by the thread on which it happened.
final class FlatTrace: Sendable {
  let run: GraphTrace
  private let spans: [Span]
  /// Why operations failed that end through their tokens.
  private let failures = Locked<[Int32: any Error]>([:])

  /// The run begins.
  init(_ run: GraphTrace, _ table: OperationTable) {
    self.run = run
    spans = (0..<table.count).map { _ in run.nextSpan() }
    run.begin(spans, table)
  }

  func span(of operation: Int32) -> Span { spans[Int(operation)] }

  /// Starts the operation: what `body` does it does on behalf of it.
  func start(_ operation: Int32, _ body: () -> Void) {
    let span = span(of: operation)
    run.record(.started(span, at: run.now))
    LaneContext.current.perform(for: span, body)
  }

  /// The operation has failed, and its end may count later.
  func note(_ failure: any Error, of operation: Int32) {
    failures.withLock { $0[operation] = failure }
  }

  /// The operation's end counts.
  func end(_ operation: Int32, _ failure: (any Error)?, _ plan: GraphPlan) {
    let (now, span) = (run.now, span(of: operation))
    let failure = failure ?? failures.withLock { $0[operation] }
    run.recordEnd(of: span, failure, at: now)
    // After a failure nothing more starts.
    guard failure == nil else { return }
    for successor in plan.successors(of: operation) {
      run.record(.edge(.dependency, from: span, to: self.span(of: successor), at: now))
    }
  }

  /// The end of one operation has left its place, the last that was to be had, to another one, which is about to
  /// start.
  func passPlace(from one: Int32, to other: Int32, _ plan: GraphPlan) {
    guard !plan.successors(of: one).contains(other) else { return }
    run.record(.edge(.permitFrom, from: span(of: one), to: span(of: other), at: run.now))
  }
}
