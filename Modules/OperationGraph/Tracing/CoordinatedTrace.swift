/// What a coordinated run tells the trace of its operations: each attempt is a span from when it starts until its
/// end counts, with edges to those that come after it, to the attempt that follows it, and to what got its place.
///
/// One that was called off while it waited is told as such; one that was left out never starts.
final class CoordinatedTrace: Sendable {
  /// The latest attempt of an operation.
  private struct Attempt {
    enum Stage { case submitted, started, ended }

    var span: Span
    var stage = Stage.submitted
    /// The attempt before it.
    var earlier: Span?
  }

  /// What is to be recorded once no lock is held any more.
  enum Record: Sendable {
    case event(TraceEvent)
    case end(Span, (any Error)?, at: Instant)
  }

  let run: GraphTrace
  private let attempts: Locked<[Attempt]>

  /// - Parameter label: what the trace calls the run; nil if somebody else tells of it.
  init?(_ label: String?, _ table: OperationTable, on runtime: any Runtime) {
    guard let run = GraphTrace(label, on: runtime) else { return nil }
    self.run = run
    attempts = Locked((0..<table.count).map { _ in Attempt(span: run.nextSpan()) })
  }

  func span(of operation: Int32) -> Span { attempts.withLock { $0[Int(operation)].span } }

  /// Not under a lock.
  func record(_ records: [Record]) {
    for record in records {
      switch record {
      case .event(let event): run.record(event)
      case .end(let span, let failure, let now): run.recordEnd(of: span, failure, at: now)
      }
    }
  }

  /// The run begins.
  func begin(_ table: OperationTable) { run.begin(attempts.withLock { $0.map(\.span) }, table) }

  /// The operation of another run that one here stands for is about to end.
  func connect(_ operation: Int32, to remote: Span) {
    guard remote != .none else { return }
    run.record(.edge(.dependency, from: remote, to: span(of: operation), at: run.now))
  }

  /// What has just been decided, as it is to be recorded. Called by who decides, under its lock, so that time and
  /// lane are those of the decision.
  ///
  /// - Parameter isStopped: whether nothing starts any more: what is cancelled then is merely left out.
  func records(
    of events: [GraphEvent], of table: OperationTable, isStopped: Bool
  ) -> [Record] {
    let now = run.now
    return attempts.withLock { attempts in
      events.flatMap { tell($0, &attempts, table, isStopped: isStopped, at: now) }
    }
  }

  private func tell(
    _ event: GraphEvent, _ attempts: inout [Attempt], _ table: OperationTable, isStopped: Bool,
    at now: Instant
  ) -> [Record] {
    switch event {
    case .added(let first):
      let spans = (first..<table.count).map { _ in run.nextSpan() }
      attempts += spans.map { Attempt(span: $0) }
      let submissions = run.submissions(spans, of: table, from: first, at: now).map(Record.event)
      guard run.isInside else { return submissions }
      let adder = LaneContext.current.span
      return submissions + spans.map { edge(.spawned, from: adder, to: $0, at: now) }
    case .started(let operation, _):
      attempts[Int(operation)].stage = .started
      return [.event(.started(attempts[Int(operation)].span, at: now))]
    case .failedAttempt(let operation, _, let error):
      attempts[Int(operation)].stage = .ended
      return [.end(attempts[Int(operation)].span, error, at: now)]
    case .readyAgain(let operation):
      let earlier = attempts[Int(operation)].span
      let attempt = Attempt(span: run.nextSpan(), earlier: earlier)
      attempts[Int(operation)] = attempt
      return [
        .event(run.submission(attempt.span, of: operation, table, at: now)),
        edge(.dependency, from: earlier, to: attempt.span, at: now),
      ]
    case .finished(let operation, let ending):
      let attempt = attempts[Int(operation)]
      attempts[Int(operation)].stage = .ended
      return end(of: attempt, ending, isStopped: isStopped, at: now)
    case .counted(let operation, let successor):
      let (from, to) = (attempts[Int(operation)].span, attempts[Int(successor)].span)
      return [edge(.dependency, from: from, to: to, at: now)]
    case .passedPlace(let operation, let other):
      let attempt = attempts[Int(operation)]
      let from = attempt.stage == .ended ? attempt.span : attempt.earlier ?? attempt.span
      return [edge(.permitFrom, from: from, to: attempts[Int(other)].span, at: now)]
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
    let end = Record.end(attempt.span, failure, at: now)
    switch (attempt.stage, ending) {
    case (.ended, _): return []
    case (.started, _): return [end]
    case (.submitted, .cancelled): return isStopped ? [] : [end]
    // It stands for an operation of another run.
    case (.submitted, _): return [.event(.started(attempt.span, at: now)), end]
    }
  }

  private func edge(
    _ kind: TraceEvent.Edge, from: Span, to: Span, at now: Instant
  ) -> Record {
    .event(.edge(kind, from: from, to: to, at: now))
  }
}
