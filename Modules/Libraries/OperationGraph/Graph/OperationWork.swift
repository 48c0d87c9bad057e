/// The work of an operation, without the types of its inputs and its value.
///
/// It cannot be copied by accident, so a run calls it where the graph stores it. A copy would retain and release what
/// the work captures. For a small operation, that takes nearly as long as everything else that a run does.
enum OperationWork: ~Copyable, Sendable {
  /// Work without inputs and without a value: the closure as the caller passed it.
  case plain(@Sendable () throws -> Void)
  /// Work that reads its inputs and stores its value, or throws.
  case function(@Sendable (OperationFrame) throws -> Void)
  /// Work that is only started here, and ends through the token.
  case starting(@Sendable (OperationFrame, OperationToken) -> Void)

  /// Whether it may end outside the call that starts it.
  var isStarting: Bool {
    switch self {
    case .starting: true
    default: false
    }
  }

  borrowing func copied() -> OperationWork {
    switch self {
    case .plain(let body): .plain(body)
    case .function(let body): .function(body)
    case .starting(let body): .starting(body)
    }
  }

  /// The work of an operation whose graph was embedded in another one.
  borrowing func moved(_ firstOperation: Int32, _ firstSlot: Int32) -> OperationWork {
    switch self {
    case .plain(let body): return .plain(body)
    case .function(let body):
      let body = copy body
      return .function { try body($0.moved(firstOperation, firstSlot)) }
    case .starting(let body):
      let body = copy body
      return .starting { frame, token in body(frame.moved(firstOperation, firstSlot), token) }
    }
  }
}
