public import AsyncPatterns

extension Step {
  /// Shows `text`, or its input if there is no text, and completes immediately with its input.
  public static func print(
    _ label: String, _ text: Value?, to show: @escaping @Sendable (String) -> Void
  ) -> Step {
    Step(label) { input, _, completion in
      show((text ?? input).legibleText)
      completion(.success(input))
    }
  }
}

extension Value {
  /// The value as plain text. Data that are not UTF-8 are represented by their size only.
  fileprivate var legibleText: String {
    switch self {
    case .data(let data): String(validating: data, as: UTF8.self) ?? description
    case .list(let values): values.map(\.legibleText).joined(separator: "\n")
    default: text
    }
  }
}

extension StepKind {
  static func print(to show: @escaping @Sendable (String) -> Void) -> StepKind {
    StepKind(
      Manual(
        name: "print",
        summary: "Prints a text, or its input if there is no text, and passes its input on.",
        discussion: """
          A terminal shows “?” for each control character. A pipe or a file gets the text unchanged.
          """,
        parameters: [Parameter("text", .value, summary: "any literal; its input if left out")],
        steps: .none, examples: ["print \"hello\""])
    ) { .print("print", $0["text"], to: show) }
  }
}
