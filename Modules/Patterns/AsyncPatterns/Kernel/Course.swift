/// How a step spends its time and how it ends, if that is known beforehand, for example from a measurement of another
/// step.
///
/// The step first works, then blocks, then waits. A phase that is nil is left out.
public struct Course: Sendable, Hashable {
  /// CPU time of a worker. If the first phase is this or `blocked`, the step starts when a worker is free.
  public var work: Duration?
  /// Time during which the step blocks a worker.
  public var blocked: Duration?
  /// Time without a worker.
  public var waiting: Duration?
  /// How the step ends after these phases.
  public var ending: Ending

  public init(
    work: Duration? = nil, blocked: Duration? = nil, waiting: Duration? = nil,
    ending: Ending = .success(nil)
  ) {
    self.work = work
    self.blocked = blocked
    self.waiting = waiting
    self.ending = ending
  }

  /// How a step ends.
  public enum Ending: Sendable, Hashable {
    /// With that value; nil passes the input on.
    case success(Value?)
    /// With a `StepFailure` for that reason.
    case failure(String)
    /// Only when it is cancelled.
    case never
    /// With its input. After another wait of the same length, the step wrongly completes a second time.
    case twice
  }
}

extension Step {
  /// A step that takes a course. In each phase, cancelling has the same effect as on the step `work`, `block` or
  /// `sleep`.
  ///
  /// - Parameter course: called each time just before the step starts; returns the course and a handler. The handler is
  ///   called when the step starts. It is not called if the step is cancelled before a worker is free.
  public init(
    _ label: String,
    course: @escaping @Sendable (Scope) -> (course: Course, onStart: @Sendable () -> Void)
  ) {
    self.init(kind: "step", label, body: .course(course))
  }
}

extension Course {
  /// Takes the course on the calling lane, or on a worker if it needs one.
  ///
  /// - Parameters:
  ///   - holdsMain: whether it works or blocks on the main lane.
  ///   - begin: called once when it starts; not called if it is cancelled before.
  func take(
    _ input: Value, in scope: Scope, holdsMain: Bool, begin: @escaping @Sendable () -> Void,
    completion: @escaping Completion
  ) {
    guard let (activity, duration) = occupation else {
      begin()
      return wait(input, in: scope, completion)
    }
    let runtime = scope.runtime
    let rest: @Sendable () -> Void = {
      if activity == .working, let blocked, !scope.isCancelled { runtime.block(for: blocked) }
      guard !scope.isCancelled else { return completion(.failure(CancellationError())) }
      wait(input, in: scope, completion)
    }
    guard holdsMain else {
      return runtime.occupy(
        activity, for: duration, cancellation: scope.cancellation, begin: begin, then: rest)
    }
    begin()
    switch activity {
    case .working: runtime.work(for: duration)
    case .blocking: runtime.block(for: duration)
    }
    rest()
  }

  /// How the step first occupies a worker; nil if it occupies none.
  private var occupation: (WorkerActivity, Duration)? {
    work.map { (.working, $0) } ?? blocked.map { (.blocking, $0) }
  }

  private func wait(_ input: Value, in scope: Scope, _ completion: @escaping Completion) {
    let result: Result<Value, any Error>
    switch ending {
    case .success(let value): result = .success(value ?? input)
    case .failure(let reason): result = .failure(StepFailure(reason))
    case .never: return Step.wait(for: nil, in: scope, completion, with: .success(input))
    case .twice:
      return Step.completeTwice(after: waiting ?? .zero, input, in: scope, completion)
    }
    guard let waiting else { return completion(result) }
    Step.wait(for: waiting, in: scope, completion, with: result)
  }
}
