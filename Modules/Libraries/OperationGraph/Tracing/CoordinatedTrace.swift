internal import AsyncRuntime

/// The trace of a coordinated run's operations. Each attempt is a span from its start until its end takes effect. An
/// attempt awaits the predecessors of its operation, the previous attempt, and the operation whose place it took.
///
/// An operation that was cancelled while it waited is recorded as cancelled. A skipped operation never starts.
final class CoordinatedTrace: Sendable {
  /// The latest attempt of an operation.
  private struct Attempt {
    enum Stage {
      case submitted, started
      case ended(at: Instant)
    }

    var span: Span
    var stage = Stage.submitted
    /// The span of the previous attempt.
    var earlier: Span?
    /// The time from which the attempt could have started, if its lane had been free.
    var ready: Instant
  }

  /// A record to be made after the lock is released.
  enum Record: Sendable {
    case event(TraceEvent)
    case end(TraceEvent, (any Error)?)
  }

  let run: GraphTrace
  private let attempts: Locked<[Attempt]>

  /// - Parameter label: the name of the run in the trace; nil if other code records the run.
  init?(_ label: String?, _ table: OperationTable, on runtime: any Runtime) {
    guard let run = GraphTrace(label, on: runtime) else { return nil }
    self.run = run
    let now = run.now
    attempts = Locked((0..<table.count).map { _ in Attempt(span: run.nextSpan(), ready: now) })
  }

  func span(of operation: Int32) -> Span { attempts.withLock { $0[Int(operation)].span } }

  /// Records events. Must not be called under a lock.
  func record(_ records: [Record]) {
    for record in records {
      switch record {
      case .event(let event): run.record(event)
      case .end(let event, let failure): run.record(event, failure)
      }
    }
  }

  /// Records the start of the run.
  func begin(_ table: OperationTable) { run.begin(attempts.withLock { $0.map(\.span) }, table) }

  /// Records that `operation` waited for `remote`, the span of an operation in another run. `operation` represents that
  /// other operation, and is about to end like it.
  func connect(_ operation: Int32, to remote: Span) {
    guard remote != .none else { return }
    run.record(.awaited(span(of: operation), Cause(.end, remote), at: run.now))
  }

  /// The records of the events of a decision. The deciding thread calls this while it still holds the lock, so that
  /// time and lane match the decision.
  ///
  /// - Parameter isStopped: whether no more operations start. An operation that is then cancelled before its start gets
  ///   no record.
  func records(
    of events: [GraphEvent], of table: OperationTable, isStopped: Bool
  ) -> [Record] {
    let now = run.now
    return attempts.withLock { attempts in
      events.flatMap { records(of: $0, &attempts, table, isStopped: isStopped, at: now) }
    }
  }

  private func records(
    of event: GraphEvent, _ attempts: inout [Attempt], _ table: OperationTable, isStopped: Bool,
    at now: Instant
  ) -> [Record] {
    switch event {
    case .added(let first):
      let spans = (first..<table.count).map { _ in run.nextSpan() }
      attempts += spans.map { Attempt(span: $0, ready: now) }
      return run.submissions(spans, of: table, from: first, at: now).map(Record.event)
    case .started(let operation, _):
      attempts[Int(operation)].stage = .started
      let attempt = attempts[Int(operation)]
      return [.event(run.start(of: attempt.span, ready: attempt.ready, at: now))]
    case .failedAttempt(let operation, _, let error):
      attempts[Int(operation)].stage = .ended(at: now)
      return [end(of: attempts[Int(operation)].span, error, at: now)]
    case .delayEnded(let operation):
      let attempt = attempts[Int(operation)]
      guard case .ended(let time) = attempt.stage else { return [] }
      return [.event(run.resumption(byTimerSet: time, after: attempt.span, at: now))]
    case .readyAgain(let operation):
      let earlier = attempts[Int(operation)].span
      let attempt = Attempt(span: run.nextSpan(), earlier: earlier, ready: now)
      attempts[Int(operation)] = attempt
      return [
        .event(run.submission(attempt.span, of: operation, table, at: now)),
        .event(.awaited(attempt.span, Cause(.end, earlier), at: now)),
      ]
    case .finished(let operation, let ending):
      let attempt = attempts[Int(operation)]
      attempts[Int(operation)].stage = .ended(at: now)
      return end(of: attempt, ending, isStopped: isStopped, at: now)
    case .counted(let operation, let successor):
      let (from, to) = (attempts[Int(operation)].span, attempts[Int(successor)].span)
      attempts[Int(successor)].ready = now
      return [.event(.awaited(to, Cause(.end, from), at: now))]
    case .passedPlace(let operation, let other):
      let attempt = attempts[Int(operation)]
      let from =
        if case .ended = attempt.stage { attempt.span } else { attempt.earlier ?? attempt.span }
      attempts[Int(other)].ready = now
      return [.event(.awaited(attempts[Int(other)].span, Cause(.permit, from), at: now))]
    }
  }

  private func end(
    of attempt: Attempt, _ ending: Ending, isStopped: Bool, at now: Instant
  ) -> [Record] {
    let failure: (any Error)?
    switch ending {
    case .succeeded: failure = nil
    case .failed(let error): failure = error
    case .cancelled: failure = CancellationError()
    case .skipped: return []
    }
    let end = end(of: attempt.span, failure, at: now)
    switch (attempt.stage, ending) {
    case (.ended, _): return []
    case (.started, _): return [end]
    case (.submitted, .cancelled): return isStopped ? [] : [end]
    case (.submitted, _):
      // The operation represents an operation of another run, and has awaited its end.
      return LaneContext.current.perform(for: attempt.span) {
        [.event(.started(attempt.span, at: now)), self.end(of: attempt.span, failure, at: now)]
      }
    }
  }

  private func end(of span: Span, _ failure: (any Error)?, at now: Instant) -> Record {
    .end(run.end(of: span, failure, at: now), failure)
  }
}
