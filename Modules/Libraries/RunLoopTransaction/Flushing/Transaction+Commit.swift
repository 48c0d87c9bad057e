extension Transaction {
  /// Commits the transaction, to be performed at the end of the turn. Can be called on any thread.
  ///
  /// If an equal transaction is waiting, the two become one. The merged transaction keeps the place of the first
  /// commit, and takes the higher of the two priorities. It performs the action of the last commit, on behalf of the
  /// code that made that commit. If its priority rises, it goes behind the transactions that already have that
  /// priority. A transaction that is committed while the queue is being flushed is performed in the next turn, for
  /// which the loop is woken.
  ///
  /// - Returns: the commit, which can be cancelled.
  /// - Complexity: amortised O(1).
  @inlinable
  @discardableResult
  public func commit(
    to queue: TransactionQueue = .main, file: StaticString = #fileID, line: UInt = #line
  ) -> Commitment {
    let number = queue.storage.commit(
      target, action.body, priority, file: file, line: line)
    return Commitment(
      storage: queue.storage, target: ObjectIdentifier(target), action: action.body, number: number)
  }
}
