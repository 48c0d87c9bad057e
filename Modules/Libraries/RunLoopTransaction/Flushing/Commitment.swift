/// One commit of a transaction: what takes it back.
@frozen
public struct Commitment: Sendable {
  @usableFromInline let storage: TransactionStorage
  @usableFromInline let target: ObjectIdentifier
  @usableFromInline let action: ActionBody
  /// Which commit of the queue it is; 0 for one that was refused.
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

  /// Takes the commit back, unless the transaction has been performed since, or begun; from any thread.
  ///
  /// The transaction is performed all the same for others who have committed an equal one: it goes when
  /// all of its commits have been taken back. Its target is let go of then. It is performed with the action
  /// and the priority that it has by then, also where this commit brought them.
  ///
  /// - Returns: whether the commit still stood.
  /// - Complexity: O(1), averaged over many.
  @discardableResult
  public func cancel() -> Bool {
    storage.withdraw(number, target, action)
  }

  /// Whether the commit ended a chain that was longer than the queue allows, and so was refused: see
  /// ``TransactionQueue``.
  public var isRefused: Bool { number == 0 }
}
