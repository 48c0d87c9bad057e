extension OperationGraph {
  /// A graph that has become part of another one, under a name.
  public struct Part: Sendable {
    /// Its operations are `name/…` in reports.
    public let name: String
    /// What it begins with: what this comes after, the whole part does.
    public let begin: Operation<Void>
    /// What it ends with: what comes after this comes after the whole part. It succeeds if nothing in the part
    /// failed or was cancelled.
    public let end: Operation<Void>
    let source: UInt32
    let graph: UInt32
    let firstOperation: Int32
    let firstSlot: Int32
    let count: Int32

    /// All that belongs to it.
    var operations: ClosedRange<Int32> { begin.index...end.index }

    /// An operation or an input of the part, as one of the graph that it is part of.
    ///
    /// - Precondition: it belongs to the graph that was embedded.
    public subscript<Value>(operation: Operation<Value>) -> Operation<Value> {
      precondition(
        operation.graph == source && operation.index < count,
        "an operation of another graph: take one of the graph that was embedded")
      return Operation<Value>(
        graph: graph, index: operation.index < 0 ? -1 : firstOperation + operation.index,
        slot: operation.slot < 0 ? -1 : firstSlot + operation.slot,
        isOutcome: operation.isOutcome)
    }
  }
}
