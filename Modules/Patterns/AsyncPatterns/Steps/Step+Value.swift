extension Step {
  /// Completes immediately with `value`.
  public static func value(_ label: String, _ value: Value) -> Step {
    Step(kind: "value", label) { _, _, completion in completion(.success(value)) }
  }

  /// Fails immediately with a `StepFailure`.
  public static func fail(_ label: String, _ reason: String) -> Step {
    Step(kind: "fail", label) { _, _, completion in completion(.failure(StepFailure(reason))) }
  }

  /// Holds its completion until it is cancelled, like a leaked continuation.
  public static func never(_ label: String) -> Step {
    Step(kind: "never", label) { _, scope, completion in
      wait(for: nil, in: scope, completion, with: .success(.none))
    }
  }
}

extension StepKind {
  static let value = StepKind(
    Manual(
      name: "value", summary: "Completes immediately with a value.",
      parameters: [Parameter("value", .value, isRequired: true, summary: "any literal")],
      steps: .none, examples: ["value 42"])
  ) { .value("value", $0["value"] ?? .none) }

  static let fail = StepKind(
    Manual(
      name: "fail", summary: "Fails immediately.",
      parameters: [
        Parameter("why", .string, default: .string("failed"), summary: "the reason")
      ], steps: .none, examples: ["fail \"no such page\"\nexpect outcome == failure"])
  ) { .fail("fail", try $0.string("why")) }

  static let never = StepKind(
    Manual(
      name: "never",
      summary: "Holds its completion forever, like a leaked continuation.",
      discussion: """
        Only cancelling ends it. On the virtual clock an unfinished step is reported immediately; \
        on the live clock it runs until the time limit.
        """, steps: .none,
      examples: ["set clock virtual\nnever\nexpect outcome == unfinished"])
  ) { _ in .never("never") }
}
