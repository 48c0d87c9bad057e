extension OperationGraph {
  /// A graph that was embedded in another one, under a name.
  public struct Part: Sendable {
    /// The name of the part. Its operations are called `name/…` in reports.
    public let name: String
    /// The start of the part. To run the whole part after an operation, make `begin` depend on that
    /// operation.
    public let begin: Operation<Void>
    /// The end of the part. An operation that comes after the end comes after the whole part. The
    /// end succeeds if nothing in the part failed or was cancelled.
    public let end: Operation<Void>
    let source: UInt32
    let graph: UInt32
    let firstOperation: Int32
    let firstSlot: Int32
    let count: Int32

    /// All operations of the part, with `begin` and `end`.
    var operations: ClosedRange<Int32> { begin.index...end.index }

    /// The handle with which the embedding graph refers to an operation or an input of the embedded graph.
    ///
    /// - Precondition: `operation` belongs to the embedded graph.
    public subscript<Value>(operation: Operation<Value>) -> Operation<Value> {
      precondition(
        operation.graph == source && operation.index < count,
        "the operation belongs to another graph: pass an operation or input of the embedded graph")
      return Operation<Value>(
        graph: graph, index: operation.index < 0 ? -1 : firstOperation + operation.index,
        slot: operation.slot < 0 ? -1 : firstSlot + operation.slot,
        isOutcome: operation.isOutcome)
    }
  }
}
