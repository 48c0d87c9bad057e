public import AsyncRuntime

/// Work on a target that runs once at the end of a turn of the run loop, however often it is committed until then.
///
/// ```swift
/// func setText(_ text: String) {
///   state.withLock { $0.text = text }
///   Transaction(self, action: .layout).commit()
/// }
/// ```
///
/// Two transactions are equal if they have the same target, by identity, and equal keys. A transaction always has a
/// target and an action: it cannot be made without them.
@frozen
public struct Transaction<Target: AnyObject & Sendable>: Sendable {
  /// The object that the action works on. A commit retains it until the transaction has been performed or cancelled.
  public let target: Target
  /// The work that the transaction performs.
  public let action: TransactionAction<Target>
  /// The priority of the transaction. Within a flush, transactions of a higher priority are
  /// performed first. Transactions of one priority are performed in the order in which they got
  /// that priority.
  ///
  /// A queue distinguishes three priorities: all below `normal` count as `low`, and all above it as `high`.
  public var priority: Priority

  /// Makes a transaction with an existing action.
  @inlinable
  public init(
    _ target: Target, action: TransactionAction<Target>,
    priority: Priority = .normal
  ) {
    self.target = target
    self.action = action
    self.priority = priority
  }

  /// Makes a transaction with its own action.
  ///
  /// - Parameters:
  ///   - key: distinguishes it from other transactions on the same target.
  ///   - perform: called on the run loop, with the target, never under a lock.
  public init(
    _ target: Target, _ key: some Hashable & Sendable,
    priority: Priority = .normal, _ perform: @escaping @Sendable (Target) -> Void
  ) {
    self.init(target, action: TransactionAction(key, perform), priority: priority)
  }
}

/// The place in the source code where a transaction was committed.
struct CommitSite: Sendable, CustomStringConvertible {
  let file: StaticString
  let line: UInt

  var description: String { "\(file):\(line)" }
}
