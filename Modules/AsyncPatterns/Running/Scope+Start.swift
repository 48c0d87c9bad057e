extension Scope {
  /// Starts `step` on the calling lane, as soon as the code that runs there now has returned; a step
  /// `with on: main` or `on: pool` starts there instead.
  ///
  /// The completion is called exactly once: a second call is reported as misuse and dropped, a
  /// completion that the step releases uncalled fails it with `CompletionDropped`. Once the scope is
  /// cancelled nothing starts any more; the completion then gets a `CancellationError`.
  public func start(_ step: Step, input: Value = .none, completion: @escaping Completion) {
    if runtime.isForeignThread {
      return runtime.takeOver(for: span) { start(step, input: input, completion: completion) }
    }
    let context = LaneContext.current
    run.interposer?.willStart(step, in: self.span, isCancelled: isCancelled)
    let span = run.span(for: step, in: self)
    if let trace = runtime.trace { record(context.causality.cause, to: span, of: step, in: trace) }
    let token = CompletionToken(step: step, span: span, parent: self, completion: completion)
    switch step.lane {
    case .callers: context.trampoline.run { token.start(step, input) }
    case .main: runtime.main.schedule { token.start(step, input) }
    case .pool: runtime.pool.schedule { token.start(step, input) }
    }
  }

  /// The edge from the step whose end made this one start.
  private func record(_ cause: Span, to span: Span, of step: Step, in trace: any TraceSink) {
    guard cause != .none, cause != self.span else { return }
    // A start without `after`, under a pattern that runs its steps side by side, had to wait for a
    // place that the other one left.
    let edge: TraceEvent.Edge =
      flow == .sequence || !step.predecessors.isEmpty ? .dependency : .permitFrom
    trace.record(.edge(edge, from: cause, to: span, at: runtime.now))
  }
}

extension Step {
  enum StartLane { case callers, main, pool }

  var lane: StartLane {
    switch options["on"] {
    case .string("main")?: .main
    case .string("pool")?: .pool
    default: .callers
    }
  }
}
