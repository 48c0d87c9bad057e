extension OperationGraph {
  /// An operation of a graph, and of the copies that were made of it since: a handle, by which others come
  /// after it, get its value, and are told its outcome.
  ///
  /// Its type is nested because Foundation has an `Operation`, too.
  public struct Operation<Value: Sendable>: Hashable, Sendable {
    /// Which graph it belongs to; copies of a graph have the same.
    let graph: UInt32
    /// Its place in the order of adding; below zero for an input, which is there before all operations.
    let index: Int32
    /// Where its value stands; below zero if that takes no room.
    let slot: Int32
    /// Whether it stands for how the operation ended, and not for its value.
    let isOutcome: Bool

    init(graph: UInt32, index: Int32, slot: Int32, isOutcome: Bool = false) {
      self.graph = graph
      self.index = index
      self.slot = slot
      self.isOutcome = isOutcome
    }
  }
}

extension OperationGraph.Operation {
  /// How the operation ends, as an input of another one: a success with its value, a failure, cancelled or
  /// skipped.
  ///
  /// That one starts only after a success all the same, unless its trigger says otherwise. One that has not
  /// ended when it starts, since the trigger did not wait for it, counts as skipped.
  public var outcome: OperationGraph.Operation<OperationGraph.Outcome<Value>> {
    precondition(!isOutcome, "the outcome of an outcome: take the outcome as it is")
    precondition(index >= 0, "an input has no outcome: it is there before the run")
    return OperationGraph.Operation<OperationGraph.Outcome<Value>>(
      graph: graph, index: index, slot: slot, isOutcome: true)
  }
}
