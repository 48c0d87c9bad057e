/// One commit of a transaction, which can be cancelled.
@frozen
public struct Commitment: Sendable {
  @usableFromInline let storage: TransactionStorage
  @usableFromInline let target: ObjectIdentifier
  @usableFromInline let action: ActionBody
  /// The number of the commit in its queue; 0 if it was refused.
  @usableFromInline let number: UInt64

  @inlinable
  init(
    storage: TransactionStorage, target: ObjectIdentifier, action: ActionBody, number: UInt64
  ) {
    self.storage = storage
    self.target = target
    self.action = action
    self.number = number
  }

  /// Cancels the commit, unless the transaction has been performed or started since. Can be called on any thread.
  ///
  /// If equal transactions were committed elsewhere, the transaction is still performed. It is removed, and its target
  /// released, when all of its commits have been cancelled. It is performed with the action and the priority that it
  /// has by then, even if they came from this commit.
  ///
  /// - Returns: false if the commit was no longer pending.
  /// - Complexity: amortised O(1).
  @discardableResult
  public func cancel() -> Bool {
    storage.cancel(number, target, action)
  }

  /// Whether the commit was refused, because it ended a chain longer than the queue allows: see ``TransactionQueue``.
  public var isRefused: Bool { number == 0 }
}
