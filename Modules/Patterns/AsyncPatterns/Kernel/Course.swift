/// How a step spends its time and how it ends, where that is known before: as it was measured of another
/// one, say.
///
/// It works first, then stands parked, then waits; what is nil is left out.
public struct Course: Sendable, Hashable {
  /// CPU time of a worker. If it or `blocked` comes first, the step starts when there is a worker.
  public var work: Duration?
  /// Time in which a worker stands parked.
  public var blocked: Duration?
  /// Time without any worker.
  public var waiting: Duration?
  /// What comes after all of that.
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
    /// With a `StepFailure`, for that reason.
    case failure(String)
    /// Not until it is cancelled.
    case never
    /// With its input, and wrongly once more after as long a wait again.
    case twice
  }
}

extension Step {
  /// A step that takes its course. Cancelling ends it as it ends `work`, `block` or `sleep`, whichever it
  /// is at.
  ///
  /// - Parameter course: asked when its turn comes, each time; what it returns with the course is called
  ///   when the step starts, which it does not if it is cancelled before there is a worker.
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
  ///   - holdsMain: whether it is the main lane that it works or stands parked on.
  ///   - begin: called once when it starts, not at all if it is cancelled before.
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
        activity, for: duration, unless: scope.cancellation, begin: begin, then: rest)
    }
    begin()
    switch activity {
    case .working: runtime.work(for: duration)
    case .blocking: runtime.block(for: duration)
    }
    rest()
  }

  /// What it holds a worker with first.
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
