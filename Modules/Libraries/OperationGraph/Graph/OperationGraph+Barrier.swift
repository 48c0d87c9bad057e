extension OperationGraph {
  /// Adds a barrier: everything added after it comes after everything added before it.
  ///
  /// - Parameters:
  ///   - label: the name of the barrier in reports.
  ///   - trigger: how the earlier operations must have ended. By default, none of them may have
  ///     failed.
  /// - Returns: the operation that represents the barrier.
  /// - Complexity: O(operations since the previous barrier), and one more dependency for each operation added
  ///   afterwards.
  @discardableResult
  public mutating func barrier(
    _ label: String = "barrier", trigger: Trigger? = nil
  ) -> Operation<Void> {
    let before = table.barrier
    let first = before ?? 0
    let range = first..<Int32(table.count)
    let trigger = trigger ?? (isPlain ? .allSucceeded : .noneFailed)
    let index = append(
      label, .plain {}, trigger == .allSucceeded ? [] : [.trigger(trigger)])
    for operation in range where operation != before {
      appendDependency(of: index, onIndex: operation)
    }
    setBarrier(index)
    return Operation<Void>(graph: table.graph, index: index, slot: -1)
  }
}
