extension Transaction {
  /// Has it performed at the end of the turn; from any thread.
  ///
  /// If an equal one waits, the two become one: it keeps the place of the first commit, takes the higher
  /// of the two priorities, and performs the action of the last, on behalf of who committed that. Where its priority
  /// rises it goes behind those that have the higher one already. What is committed while the queue is
  /// being flushed is performed in the next turn, for which the loop is woken.
  ///
  /// - Returns: what takes this commit back.
  /// - Complexity: O(1), averaged over many.
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
