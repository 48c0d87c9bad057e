import Synchronization

/// One start of a step. It records the start and the end of the step.
///
/// It guards the completion: the first call counts, and a second call is reported. If the step releases its completion
/// without calling it, the step fails.
final class CompletionToken: LaneWork, Sendable {
  let label: String
  let content: Step.Content
  let lane: Step.StartLane
  let input: Value
  let span: Span
  /// Why the pattern starts the step.
  let cause: Cause
  let parent: Scope
  private let completion: Completion
  private let isCalled = Atomic<Bool>(false)

  init(
    _ step: Step, _ input: Value, isOnMain: Bool, span: Span, because cause: Cause, parent: Scope,
    completion: @escaping Completion
  ) {
    label = step.label
    content = step.content
    lane = isOnMain && content.lane != .pool ? .here : content.lane
    self.input = input
    self.span = span
    self.cause = cause
    self.parent = parent
    self.completion = completion
    parent.run.opened()
  }

  deinit {
    guard !isCalled.load(ordering: .acquiring), !parent.run.isAbandoned else { return }
    // The code that released the last reference may hold a lock, so report on another thread.
    let (label, span, parent, completion) = (label, span, parent, completion)
    parent.runtime.pool.schedule {
      let error = CompletionDropped(step: label)
      parent.run.report("completion-dropped", error.description, of: span)
      if let trace = parent.run.trace {
        CompletionToken.recordEnd(
          of: span, parent, nil, because: .itself, .failure(error), in: trace)
      }
      CompletionToken.deliver(parent, of: span, .failure(error), completion)
      parent.run.closed()
    }
  }

  func complete(_ result: Result<Value, any Error>) {
    if parent.run.isForeign(LaneContext.current) {
      return parent.run.takeOver(for: span) { self.complete(result) }
    }
    if isCalled.exchange(true, ordering: .acquiringAndReleasing) {
      parent.run.report(
        "completed-twice",
        parent.isUnguarded
          ? "“\(label)” called its completion again, and its pattern received the second call"
          : "“\(label)” called its completion again; the second call was ignored: call it only once",
        of: span)
      if parent.isUnguarded { CompletionToken.deliver(parent, of: span, result, completion) }
      return
    }
    if let trace = parent.run.trace {
      CompletionToken.recordEnd(
        of: span, parent, composition, because: causeOfEnd(result), result, in: trace)
    }
    CompletionToken.deliver(parent, of: span, result, completion)
    parent.run.closed()
  }

  /// The pattern and the steps that it coordinates, if this step is a composition.
  private var composition: Composition? {
    if case .composition(let composition) = content.body { composition } else { nil }
  }

  /// The cause of the end of the step. The calling thread runs the code that ends it.
  private func causeOfEnd(_ result: Result<Value, any Error>) -> Cause {
    let context = LaneContext.current
    let cause = context.cause(for: span)
    guard let cancellation = parent.cancellation.cause, !result.isSuccess else { return cause }
    // The step was cancelled while it waited for the lane on which it had to start.
    if let wait = context.takeStartWait() { return Cause(.lane, wait.holder) }
    return context.span == span && endsByItself(result) ? cause : cancellation
  }

  /// Whether the step ends by its own code although it was cancelled. That is so for a pattern when its last step has
  /// ended, and for work that occupies the main lane.
  private func endsByItself(_ result: Result<Value, any Error>) -> Bool {
    guard case .failure(is CancellationError) = result else { return true }
    return switch content.body {
    case .composition: true
    case .occupation, .course: holdsMain
    case .callback, .asynchronous: false
    }
  }

  /// - Parameter composition: the pattern and the steps that it coordinates, if the step is a composition.
  private static func recordEnd(
    of span: Span, _ parent: Scope, _ composition: Composition?, because cause: Cause,
    _ result: Result<Value, any Error>, in trace: any TraceSink
  ) {
    let (outcome, reason) = result.traced
    // A `TimedOut` error can also come from a part that timed out, so the cause must be a timer too.
    let hasTimedOut = cause.kind == .timer && result.isTimeout
    let now = parent.run.now
    trace.record(
      .finished(
        span, outcome, because: cause, cancelled: parent.cancellation.record, reason: reason,
        hasTimedOut: hasTimedOut,
        awaitsAll: composition?.failure.promisesAllHaveEnded(after: outcome) ?? false, at: now))
    parent.run.noteHolder(span, isPattern: composition != nil, until: now)
  }

  /// Calls the completion on behalf of the parent, with the step as its cause.
  private static func deliver(
    _ parent: Scope, of span: Span, _ result: Result<Value, any Error>, _ completion: Completion
  ) {
    LaneContext.current.enter(for: parent.span, because: Cause(.end, span)) { completion(result) }
  }
}

extension Result<Value, any Error> {
  fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }

  fileprivate var isTimeout: Bool { if case .failure(is TimedOut) = self { true } else { false } }

  /// The result as it is recorded in the trace.
  fileprivate var traced: (TraceEvent.Outcome, String) {
    switch self {
    case .success: (.success, "")
    case .failure(is CancellationError): (.cancelled, "")
    case .failure(let error): (.failure, String(describing: error))
    }
  }
}
