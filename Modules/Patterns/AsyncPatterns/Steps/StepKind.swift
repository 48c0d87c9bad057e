/// A kind of step that is not a pattern: its manual, and a function that creates one.
public struct StepKind: Sendable {
  /// The description of its arguments and its behaviour.
  public let manual: Manual
  private let body: @Sendable (Arguments) throws -> Step

  /// - Parameter make: creates a step from arguments that have been checked against the manual. The step's label and
  ///   kind are set afterwards.
  public init(_ manual: Manual, make: @escaping @Sendable (Arguments) throws -> Step) {
    self.manual = manual
    body = make
  }

  /// Creates a step with a label.
  ///
  /// - Parameter arguments: checked against the manual and completed with its defaults.
  public func make(_ label: String, _ arguments: Arguments) throws -> Step {
    var step = try body(arguments)
    step.label = label
    step.kind = manual.name
    return step
  }

  /// The kinds of steps that need only a runtime.
  public static let kernel: [StepKind] = [
    .sleep, .work, .block, .value, .fail, .never, .twice,
  ]
}
