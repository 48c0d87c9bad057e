extension OperationGraph {
  /// A handle to an operation of a graph. It is also valid in copies that are made of the graph afterwards. Use it to
  /// order other operations after this one, to get its value, and to get its outcome.
  ///
  /// The type is nested because Foundation also has an `Operation`.
  public struct Operation<Value: Sendable>: Hashable, Sendable {
    /// The graph to which the operation belongs. Copies of a graph have the same number.
    let graph: UInt32
    /// The operation's position in the order of adding; negative for an input, which exists before
    /// all operations.
    let index: Int32
    /// Where the operation's value is stored; negative if the value takes no space.
    let slot: Int32
    /// Whether the handle represents the operation's outcome instead of its value.
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
  /// How the operation ended, as an input of another operation: success with its value, failure, cancelled or skipped.
  ///
  /// The other operation still starts only after a success, unless its trigger says otherwise. If the trigger did not
  /// wait for this operation, it may not have ended when the other one starts. Its outcome is then `skipped`.
  public var outcome: OperationGraph.Operation<OperationGraph.Outcome<Value>> {
    precondition(!isOutcome, "an outcome has no outcome: use the outcome itself")
    precondition(index >= 0, "an input has no outcome: its value exists before the run")
    return OperationGraph.Operation<OperationGraph.Outcome<Value>>(
      graph: graph, index: index, slot: slot, isOutcome: true)
  }
}
