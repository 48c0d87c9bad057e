/// Called once with the result of a step.
public typealias Completion = @Sendable (Result<Value, any Error>) -> Void

/// A way of coordinating steps: it makes one step out of several.
///
/// A pattern starts its steps through `scope.start(_:input:completion:)`, never directly. It calls its own completion
/// exactly once, and starts no step after the scope is cancelled. It takes time and threads only from `scope.runtime`.
/// The laws of patterns are in `Law`.
///
/// The completion of a step runs only after the pattern's code that started the step has returned. This does not hold
/// for code of the pattern that was not called by the kernel.
public protocol AsyncPattern: Sendable {
  static var manual: Manual { get }

  /// - Parameter arguments: checked against the manual and completed with its defaults.
  init(_ arguments: Arguments) throws

  /// How values flow through the pattern, given its arguments. By default, it is the flow in the manual.
  var flow: Manual.Flow { get }

  /// Throws if the pattern cannot honour the composition. Called before anything runs.
  func validate(_ steps: [Step]) throws

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion)
}
