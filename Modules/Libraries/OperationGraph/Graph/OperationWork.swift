/// The work of an operation, without the types of its inputs and its value.
enum OperationWork: Sendable {
  /// Work without inputs and without a value: the closure as the caller passed it.
  case plain(@Sendable () throws -> Void)
  /// Work that reads its inputs and stores its value, or throws.
  case function(@Sendable (OperationFrame) throws -> Void)
  /// Work that is only started here, and ends through the token.
  case starting(@Sendable (OperationFrame, OperationToken) -> Void)
}
