public import AsyncPatterns

extension StepKind {
  /// The steps with real input and output: `sh`, `read`, `write` and `print`.
  ///
  /// - Parameter print: shows a text, which has no newline at its end, to whoever watches; called on
  ///   the lane of the step.
  public static func system(print: @escaping @Sendable (String) -> Void) -> [StepKind] {
    [.sh, .read, .write, .print(to: print)]
  }
}
