extension OperationGraph {
  /// Operations that another operation comes after: one handle, or an array of handles.
  ///
  /// An array holds operations that are known only at run time:
  ///
  /// ```swift
  /// let pages = urls.map { url in site.add { try await load(url) } }
  /// site.add("index", after: pages) { index() }
  /// ```
  public protocol Predecessors: Sendable {
    /// Calls `body` with each of the operations.
    func forEachPredecessor(_ body: (Predecessor) -> Void)
  }

  /// One operation that another one comes after. Unlike the type of a handle, this type does not contain the type of
  /// the operation's value. So an array can hold operations with values of different types:
  ///
  /// ```swift
  /// site.add("publish", after: [index.predecessor, images.predecessor]) { publish() }
  /// ```
  public struct Predecessor: Predecessors {
    let graph: UInt32
    let index: Int32
    /// The slot where its value is stored; negative if the slot is not needed to check the handle.
    let slot: Int32
    let type: any Any.Type

    public func forEachPredecessor(_ body: (Predecessor) -> Void) { body(self) }
  }
}

extension OperationGraph.Operation: OperationGraph.Predecessors {
  public func forEachPredecessor(_ body: (OperationGraph.Predecessor) -> Void) { body(predecessor) }

  /// The operation without the type of its value.
  public var predecessor: OperationGraph.Predecessor {
    OperationGraph.Predecessor(
      graph: graph, index: index, slot: isOutcome ? -1 : slot, type: Value.self)
  }
}

extension Array: OperationGraph.Predecessors where Element: OperationGraph.Predecessors {
  public func forEachPredecessor(_ body: (OperationGraph.Predecessor) -> Void) {
    for element in self { element.forEachPredecessor(body) }
  }
}
