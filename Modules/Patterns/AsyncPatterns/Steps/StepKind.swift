/// A kind of step that stands by itself: its manual, and how to make one.
public struct StepKind: Sendable {
  /// What it takes and does.
  public let manual: Manual
  private let body: @Sendable (Arguments) throws -> Step

  /// - Parameter make: makes a step from arguments that have been checked against the manual; its
  ///   label and kind are set afterwards.
  public init(_ manual: Manual, make: @escaping @Sendable (Arguments) throws -> Step) {
    self.manual = manual
    body = make
  }

  /// A step called `label`.
  ///
  /// - Parameter arguments: checked against the manual and completed with its defaults.
  public func make(_ label: String, _ arguments: Arguments) throws -> Step {
    var step = try body(arguments)
    step.label = label
    step.kind = manual.name
    return step
  }

  /// The steps that need nothing but a runtime.
  public static let kernel: [StepKind] = [
    .sleep, .work, .block, .value, .fail, .never, .twice,
  ]
}
