import AsyncPatterns

extension StepKind {
  /// The step `last`, which yields the value of the last run that had one.
  static func last(_ value: @escaping @Sendable () -> Value) -> StepKind {
    StepKind(
      Manual(
        name: "last", summary: "Yields the value of the last run that had one.", steps: .none,
        examples: ["value 42; last"])
    ) { _ in
      Step("last") { _, _, completion in completion(.success(value())) }
    }
  }
}
