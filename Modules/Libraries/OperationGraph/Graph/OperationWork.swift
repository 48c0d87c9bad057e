/// What an operation does, whatever the types of its inputs and its value.
enum OperationWork: Sendable {
  /// Has neither inputs nor a value: the closure as it was given.
  case plain(@Sendable () throws -> Void)
  /// Reads its inputs and stores its value, or throws.
  case function(@Sendable (OperationFrame) throws -> Void)
  /// Begins, and ends through the token.
  case starting(@Sendable (OperationFrame, OperationToken) -> Void)
}
