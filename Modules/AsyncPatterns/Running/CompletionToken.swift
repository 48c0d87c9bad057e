import Synchronization

/// Guards the completion of one start of a step: the first call counts, a second is reported, and
/// letting go of it uncalled fails the step.
final class CompletionToken: Sendable {
  private let label: String
  private let span: Span
  private let parent: Scope
  private let completion: Completion
  private let isCalled = Atomic<Bool>(false)

  init(step: Step, span: Span, parent: Scope, completion: @escaping Completion) {
    label = step.label
    self.span = span
    self.parent = parent
    self.completion = completion
    parent.run.opened()
  }

  deinit {
    guard !isCalled.load(ordering: .acquiring) else { return }
    // Somebody's lock may be held where the last reference goes: report from elsewhere.
    let (label, span, parent, completion) = (label, span, parent, completion)
    parent.runtime.pool.schedule {
      let error = CompletionDropped(step: label)
      parent.run.report("completion-dropped", error.description, of: span)
      CompletionToken.finish(span, parent, .failure(error), completion)
      parent.run.closed()
    }
  }

  /// Runs the step on the calling thread.
  func start(_ step: Step, _ input: Value) {
    guard !parent.isCancelled else { return complete(.failure(CancellationError())) }
    let context = LaneContext.current
    let outer = context.causality
    context.causality = Causality(span: span, cause: .none)
    context.trampoline.enter {
      if let interposer = parent.run.interposer, let fault = fault(in: step, by: interposer) {
        suffer(fault, step, input)
      } else {
        perform(step, input) { self.complete($0) }
      }
    }
    context.causality = outer
  }

  private func perform(_ step: Step, _ input: Value, then completion: @escaping Completion) {
    switch step.body {
    case .occupation(let activity, let duration):
      occupy(step.lane, activity, for: duration, input, then: completion)
    case .course(let choose):
      let scope = scope(for: nil)
      let (course, onStart) = choose(scope)
      let begin: @Sendable () -> Void = {
        self.recordStart()
        onStart()
      }
      course.take(
        input, in: scope, holdsMain: step.lane == .main, begin: begin, completion: completion)
    case .callback(let start):
      recordStart()
      start(input, scope(for: nil), completion)
    case .asynchronous(let run):
      recordStart()
      startTask(run, input, then: completion)
    case .composition(let composition):
      recordStart()
      composition.pattern.start(
        composition.steps, input: input, in: scope(for: composition), completion: completion)
    }
  }

  private func fault(in step: Step, by interposer: any Interposer) -> Fault? {
    if case .composition = step.body { nil } else { interposer.fault(in: step) }
  }

  private func suffer(_ fault: Fault, _ step: Step, _ input: Value) {
    switch fault {
    case .failure(let error):
      recordStart()
      complete(.failure(error))
    case .lateness(let deferring):
      perform(step, input) { result in deferring { self.complete(result) } }
    }
  }

  private func recordStart() {
    let runtime = parent.runtime
    runtime.trace?.record(.started(span, at: runtime.now))
  }

  /// Starts when there is a worker for it: one of the pool, or the main lane if that was asked for.
  private func occupy(
    _ lane: Step.StartLane, _ activity: WorkerActivity, for duration: Duration, _ input: Value,
    then completion: @escaping Completion
  ) {
    let runtime = parent.runtime
    let end: @Sendable () -> Void = { [self] in
      completion(parent.isCancelled ? .failure(CancellationError()) : .success(input))
    }
    guard lane == .main else {
      return runtime.occupy(
        activity, for: duration, unless: parent.cancellation, begin: { self.recordStart() },
        then: end)
    }
    recordStart()
    switch activity {
    case .working: runtime.work(for: duration)
    case .blocking: runtime.block(for: duration)
    }
    end()
  }

  private func startTask(
    _ run: @escaping @Sendable (Value, Scope) async throws -> Value, _ input: Value,
    then completion: @escaping Completion
  ) {
    let scope = scope(for: nil)
    let runtime = parent.runtime
    let executor = SchedulerExecutor(runtime.pool, span: span)
    runtime.asynchronousBodyStarted(span)
    let task = Task(executorPreference: executor) {
      try await run(input, scope)
    }
    let registration = scope.onCancel { task.cancel() }
    Task(executorPreference: executor) {
      let result = await task.result
      registration.dispose()
      runtime.asynchronousBodyEnded(self.span)
      completion(result)
    }
  }

  /// What the running step may use.
  private func scope(for composition: Composition?) -> Scope {
    Scope(
      runtime: parent.runtime, cancellation: parent.cancellation, span: span, run: parent.run,
      children: composition.flatMap { parent.run.submit($0, in: span) },
      isUnguarded: composition?.manual.isUnguarded ?? false,
      flow: composition?.manual.flow ?? .sequence)
  }

  func complete(_ result: Result<Value, any Error>) {
    if parent.runtime.isForeignThread {
      return parent.runtime.takeOver(for: span) { self.complete(result) }
    }
    if isCalled.exchange(true, ordering: .acquiringAndReleasing) {
      parent.run.report(
        "completed-twice",
        parent.isUnguarded
          ? "“\(label)” called its completion again, and its pattern was told again"
          : "“\(label)” called its completion again; the second call was dropped", of: span)
      if parent.isUnguarded { CompletionToken.tell(parent, of: span, result, completion) }
      return
    }
    CompletionToken.finish(span, parent, result, completion)
    parent.run.closed()
  }

  private static func finish(
    _ span: Span, _ parent: Scope, _ result: Result<Value, any Error>, _ completion: Completion
  ) {
    let runtime = parent.runtime
    if let trace = runtime.trace {
      let (outcome, reason) = result.traced
      trace.record(.finished(span, outcome, because: reason, at: runtime.now))
    }
    tell(parent, of: span, result, completion)
  }

  /// Calls the completion on behalf of the parent, because of the step.
  private static func tell(
    _ parent: Scope, of span: Span, _ result: Result<Value, any Error>, _ completion: Completion
  ) {
    let context = LaneContext.current
    let outer = context.causality
    context.causality = Causality(span: parent.span, cause: span)
    context.trampoline.enter { completion(result) }
    context.causality = outer
  }
}

extension Result<Value, any Error> {
  /// The result as the trace tells it.
  fileprivate var traced: (TraceEvent.Outcome, String) {
    switch self {
    case .success: (.success, "")
    case .failure(is CancellationError): (.cancelled, "")
    case .failure(let error): (.failure, String(describing: error))
    }
  }
}

/// A step released its completion without calling it.
public struct CompletionDropped: Error, Hashable, CustomStringConvertible {
  /// The label of the step.
  public var step: String

  public init(step: String) { self.step = step }

  public var description: String {
    "“\(step)” let go of its completion without calling it; call it on every path"
  }
}
