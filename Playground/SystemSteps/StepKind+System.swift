public import AsyncPatterns

extension StepKind {
  /// The steps with real input and output: `sh`, `read`, `write` and `print`.
  ///
  /// - Parameter print: shows a text to the user. The text has no newline at its end. Called on the lane of the step.
  public static func system(print: @escaping @Sendable (String) -> Void) -> [StepKind] {
    [.sh, .read, .write, .print(to: print)]
  }
}
