public import AsyncPatterns

/// The steps with real input and output: `sh`, `read`, `write` and `print`.
public enum SystemSteps {
  /// All kinds there are.
  ///
  /// - Parameter print: shows a text, which has no newline at its end, to whoever watches; called on
  ///   the lane of the step.
  public static func all(print: @escaping @Sendable (String) -> Void) -> [StepKind] {
    [.sh, .read, .write, .print(to: print)]
  }
}
