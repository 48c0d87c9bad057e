/// Told once, with what became of a step.
public typealias Completion = @Sendable (Result<Value, any Error>) -> Void

/// A way of coordinating steps: it makes one step out of several.
///
/// A pattern starts its steps through `scope.start(_:input:completion:)`, never directly. It calls its
/// own completion exactly once, asks for no start after the scope is cancelled, and takes time and threads
/// from `scope.runtime` alone: the laws are in `Law`. No completion of a step ever runs before the pattern's own code that
/// started the step has returned, unless that code was not called by the kernel.
public protocol AsyncPattern: Sendable {
  static var manual: Manual { get }

  /// - Parameter arguments: checked against the manual and completed with its defaults.
  init(_ arguments: Arguments) throws

  /// How values flow through it, given its arguments. Unless a pattern says otherwise it is what its manual says.
  var flow: Manual.Flow { get }

  /// Refuses what the pattern cannot honour, before anything runs.
  func validate(_ steps: [Step]) throws

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion)
}
