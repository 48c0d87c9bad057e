/// Starts a step, and records the start.
extension CompletionToken {
  /// Runs the step on the calling thread.
  ///
  /// - Parameter context: the context of the calling thread.
  func run(in context: LaneContext) {
    guard !parent.isCancelled else { return complete(.failure(CancellationError())) }
    context.enter(for: span) {
      if let fault = fault() {
        suffer(fault)
      } else {
        perform { self.complete($0) }
      }
    }
  }

  /// Whether a step that works or blocks does so on the main lane.
  var holdsMain: Bool { lane == .main || lane == .here }

  private func perform(then completion: @escaping Completion) {
    switch content.body {
    case .occupation(let activity, let duration):
      occupy(activity, for: duration, then: completion)
    case .course(let choose):
      let scope = scope
      let (course, onStart) = choose(scope)
      let wait = LaneContext.current.takeStartWait()
      let begin: @Sendable () -> Void = {
        self.recordStart(working: course.work != nil, after: wait)
        onStart()
      }
      course.take(
        input, in: scope, holdsMain: holdsMain, begin: begin, completion: completion)
    case .callback(let start):
      recordStart()
      start(input, scope, completion)
    case .asynchronous(let run):
      recordStart()
      let scope = self.scope
      scope.startTask(then: completion) { [input] in try await run(input, scope) }
    case .composition(let composition):
      recordStart()
      composition.pattern.start(
        composition.steps, input: input, in: scope(for: composition), completion: completion)
    }
  }

  private func fault() -> Fault? {
    guard let interposer = parent.run.interposer else { return nil }
    if case .composition = content.body { return nil }
    return interposer.fault(in: label)
  }

  private func suffer(_ fault: Fault) {
    switch fault {
    case .failure(let error):
      recordStart()
      complete(.failure(error))
    case .lateness(let deferring):
      perform { result in deferring { self.complete(result) } }
    }
  }

  /// - Parameters:
  ///   - isWorking: whether the step works from now on.
  ///   - earlier: how the step waited for a lane before it waited for a worker.
  private func recordStart(working isWorking: Bool = false, after earlier: LaneWait? = nil) {
    guard let trace = parent.run.trace else { return }
    let now = parent.run.now
    let role: TraceEvent.Role = isWorking ? .working : .plain
    guard let wait = LaneContext.current.takeStartWait() ?? earlier else {
      return trace.record(.started(span, role: role, because: cause, at: now))
    }
    trace.record(
      .started(
        span, role: role, because: cause, ready: earlier?.ready ?? wait.ready,
        behind: wait.holder, at: now))
  }

  /// Starts the step as soon as a worker is free: one of the pool, or the main lane if the step asked for it.
  private func occupy(
    _ activity: WorkerActivity, for duration: Duration, then completion: @escaping Completion
  ) {
    let runtime = parent.runtime
    let end: @Sendable () -> Void = { [self] in
      completion(parent.isCancelled ? .failure(CancellationError()) : .success(input))
    }
    guard holdsMain else {
      let wait = LaneContext.current.takeStartWait()
      return runtime.occupy(
        activity, for: duration, cancellation: parent.cancellation,
        begin: { self.recordStart(working: activity == .working, after: wait) }, then: end)
    }
    recordStart(working: activity == .working)
    switch activity {
    case .working: runtime.work(for: duration)
    case .blocking: runtime.block(for: duration)
    }
    end()
  }

  /// The scope of the step.
  private var scope: Scope {
    Scope(
      cancellation: parent.cancellation, span: span, run: parent.run, children: nil,
      isUnguarded: false, flow: .sequence)
  }

  /// The scope of the pattern.
  private func scope(for composition: Composition) -> Scope {
    Scope(
      cancellation: parent.cancellation, span: span, run: parent.run,
      children: parent.run.submit(composition, in: span),
      isUnguarded: composition.isUnguarded, flow: composition.flow)
  }
}
