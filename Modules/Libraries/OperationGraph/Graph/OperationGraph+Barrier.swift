extension OperationGraph {
  /// Adds a barrier: everything that is added after it comes after everything that was added before.
  ///
  /// - Parameters:
  ///   - label: what reports call it.
  ///   - trigger: how what was before has to have ended; unless given, without a failure.
  /// - Returns: the operation that all go through.
  /// - Complexity: O(operations since the barrier before), and one dependency more for each operation
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
      label, .plain {}, isStarting: false, trigger == .allSucceeded ? [] : [.trigger(trigger)])
    for operation in range where operation != before {
      appendDependency(of: index, onIndex: operation)
    }
    setBarrier(index)
    return Operation<Void>(graph: table.graph, index: index, slot: -1)
  }
}
