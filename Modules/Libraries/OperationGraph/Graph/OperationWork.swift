/// The work of an operation, without the types of its inputs and its value.
enum OperationWork: Sendable {
  /// Has neither inputs nor a value. This is the closure as the caller passed it.
  case plain(@Sendable () throws -> Void)
  /// Reads its inputs and stores its value, or throws.
  case function(@Sendable (OperationFrame) throws -> Void)
  /// Starts work that ends through the token.
  case starting(@Sendable (OperationFrame, OperationToken) -> Void)
}
