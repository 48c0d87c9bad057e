extension Step {
  /// Completes `duration` after it starts, with its input. It holds no thread, and comes back on the
  /// main lane if it started there, else on the pool.
  public static func sleep(_ label: String, _ duration: Duration) -> Step {
    Step(kind: "sleep", label) { input, scope, completion in
      wait(for: duration, in: scope, completion, with: .success(input))
    }
  }

  /// Holds a worker with `duration` of its thread's CPU time, then completes with its input.
  ///
  /// The worker is one of the pool; or, with `on: main`, the main lane, where nothing else gets through
  /// until then, cancellation included.
  public static func work(_ label: String, _ duration: Duration) -> Step {
    occupy("work", label, .working, duration)
  }

  /// Parks a worker for `duration`, then completes with its input; of the worker holds what holds for
  /// ``work(_:_:)``.
  public static func block(_ label: String, _ duration: Duration) -> Step {
    occupy("block", label, .blocking, duration)
  }

  private static func occupy(
    _ kind: String, _ label: String, _ activity: WorkerActivity, _ duration: Duration
  ) -> Step {
    Step(kind: kind, label, body: .occupation(activity, duration))
  }

  /// Completes after `duration` and wrongly once more after twice that; the run stays open for it.
  /// Cancelling calls off what is still to come of the two.
  public static func twice(_ label: String, _ duration: Duration) -> Step {
    Step(kind: "twice", label) { input, scope, completion in
      completeTwice(after: duration, input, in: scope, completion)
    }
  }

  init(
    kind: String, _ label: String,
    start: @escaping @Sendable (Value, Scope, @escaping Completion) -> Void
  ) {
    self.init(kind: kind, label, body: .callback(start))
  }
}

extension StepKind {
  private static let duration = Parameter("for", .duration, isRequired: true, summary: "how long")

  static let sleep = StepKind(
    Manual(
      name: "sleep", summary: "Completes after a time, with its input; holds no thread.",
      parameters: [duration], steps: .none, examples: ["sleep 20ms"])
  ) { .sleep("sleep", try $0.duration("for")) }

  static let work = StepKind(
    Manual(
      name: "work", summary: "Holds a worker with that much CPU time of its thread.",
      parameters: [duration], steps: .none, examples: ["work 5ms"])
  ) { .work("work", try $0.duration("for")) }

  static let block = StepKind(
    Manual(
      name: "block", summary: "Parks a worker for a time: a blocked thread.",
      parameters: [duration], steps: .none, blocksThread: true, examples: ["block 5ms"])
  ) { .block("block", try $0.duration("for")) }

  static let twice = StepKind(
    Manual(
      name: "twice",
      summary: "Completes after a time, and wrongly once more after twice that time.",
      parameters: [duration], steps: .none, breaks: [.completesExactlyOnce],
      examples: ["twice 5ms"])
  ) { .twice("twice", try $0.duration("for")) }
}
