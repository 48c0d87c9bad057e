extension Scope {
  /// Starts `step` on the calling lane, as soon as the code that runs there now has returned. A step `with on: main` or
  /// `on: pool` starts on the main lane or the pool instead.
  ///
  /// The completion is called exactly once. A second call is reported as misuse. It is ignored, unless the manual of
  /// the pattern says `isUnguarded`. If the step releases its completion without calling it, the step fails with
  /// `CompletionDropped`. Once the scope is cancelled, no step starts; the completion then gets a `CancellationError`.
  public func start(_ step: Step, input: Value = .none, completion: @escaping Completion) {
    start(step, input: input, isOnMain: false, completion: completion)
  }

  /// Starts `step` on the main lane, where the caller is, without a hop. Work and blocking then occupy the main lane. A
  /// step `with on: pool` starts on the pool.
  public func startOnMain(_ step: Step, input: Value, completion: @escaping Completion) {
    start(step, input: input, isOnMain: true, completion: completion)
  }

  /// Records in the trace a step that the pattern received while it was running. The step starts later, or never.
  public func announce(_ step: Step) -> AnnouncedStep {
    AnnouncedStep(step: step, span: run.span(for: step, in: self))
  }

  /// Starts an announced step, once, in the same way as any other step.
  public func start(
    _ announced: AnnouncedStep, input: Value = .none, completion: @escaping Completion
  ) {
    start(
      announced.step, as: announced.span, input: input, isOnMain: false, completion: completion)
  }

  /// - Parameters:
  ///   - announced: the span of an announced step; nil for any other step.
  ///   - isOnMain: whether the step may start here because the caller is on the main lane.
  private func start(
    _ step: Step, as announced: Span? = nil, input: Value, isOnMain: Bool,
    completion: @escaping Completion
  ) {
    guard run.takeStart() else { return }
    let context = LaneContext.current
    if run.isForeign(context) {
      return run.takeOver(for: span) {
        start(step, as: announced, input: input, isOnMain: isOnMain, completion: completion)
      }
    }
    run.interposer?.willStart(step.label, in: self.span, isCancelled: isCancelled)
    let span = announced ?? run.span(for: step, in: self)
    var cause = Cause.itself
    if let trace = run.trace {
      cause = self.cause(of: step, span, in: context, trace)
      cancellation.noteStart(of: span, in: self.span)
    }
    let token = CompletionToken(
      step, input, isOnMain: isOnMain, span: span, because: cause, parent: self,
      completion: completion)
    switch token.lane {
    case .callers, .here: context.perform(token)
    case .main:
      context.scheduling(.start) { runtime.main.schedule { token.run(in: .current) } }
    case .pool:
      context.scheduling(.start) { runtime.pool.schedule { token.run(in: .current) } }
    }
  }

  /// Why the pattern starts a step now. Also records the ends of the other predecessors, for which the step waited too.
  private func cause(
    of step: Step, _ span: Span, in context: LaneContext, _ trace: any TraceSink
  ) -> Cause {
    let cause = context.cause(for: span)
    let predecessors = children?.predecessors(of: step) ?? []
    for predecessor in predecessors where cause != Cause(.end, predecessor) {
      trace.record(.awaited(span, Cause(.end, predecessor), at: run.now))
    }
    if cause.span == self.span, cause.kind != .timer { return Cause(.parent, self.span) }
    guard cause.kind == .end, !predecessors.contains(cause.span) else { return cause }
    let isNext = flow == .sequence || predecessors.isEmpty && !step.predecessors.isEmpty
    // In a sequence, the step follows the step that has just ended. So does a step with `after` under a pattern that
    // keeps the order of its steps. Otherwise that end released a permit for which the step had waited.
    return isNext ? cause : Cause(.permit, cause.span)
  }
}

/// A step that is recorded in the trace and has not started.
public struct AnnouncedStep: Sendable {
  let step: Step
  let span: Span
}
