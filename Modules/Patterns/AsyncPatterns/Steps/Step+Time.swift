extension Step {
  /// Completes `duration` after it starts, with its input. It holds no thread. It completes on the main lane if it
  /// started there, otherwise on the pool.
  public static func sleep(_ label: String, _ duration: Duration) -> Step {
    Step(kind: "sleep", label) { input, scope, completion in
      wait(for: duration, in: scope, completion, with: .success(input))
    }
  }

  /// Occupies a worker with `duration` of its thread's CPU time, then completes with its input.
  ///
  /// The worker is one of the pool. With `on: main` it is the main lane, which runs nothing else until then, not even a
  /// cancellation.
  public static func work(_ label: String, _ duration: Duration) -> Step {
    occupy("work", label, .working, duration)
  }

  /// Blocks a worker for `duration`, then completes with its input. The worker is chosen as in ``work(_:_:)``.
  public static func block(_ label: String, _ duration: Duration) -> Step {
    occupy("block", label, .blocking, duration)
  }

  private static func occupy(
    _ kind: String, _ label: String, _ activity: WorkerActivity, _ duration: Duration
  ) -> Step {
    Step(kind: kind, label, body: .occupation(activity, duration))
  }

  /// Completes after `duration`, and wrongly a second time after twice that. The run stays open until then. Cancelling
  /// completes the step immediately if it has not completed, and prevents the second completion.
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
      name: "sleep", summary: "Completes after a time, with its input; blocks no thread.",
      parameters: [duration], steps: .none, examples: ["sleep 20ms"])
  ) { .sleep("sleep", try $0.duration("for")) }

  static let work = StepKind(
    Manual(
      name: "work", summary: "Keeps a worker busy for a time, measured as CPU time.",
      parameters: [duration], steps: .none, examples: ["work 5ms"])
  ) { .work("work", try $0.duration("for")) }

  static let block = StepKind(
    Manual(
      name: "block", summary: "Blocks a worker for a time.",
      parameters: [duration], steps: .none, blocksThread: true, examples: ["block 5ms"])
  ) { .block("block", try $0.duration("for")) }

  static let twice = StepKind(
    Manual(
      name: "twice",
      summary: "Completes after a time, and again, wrongly, after twice that time.",
      parameters: [duration], steps: .none, breaks: [.completesExactlyOnce],
      examples: ["twice 5ms"])
  ) { .twice("twice", try $0.duration("for")) }
}
