extension OperationGraph {
  /// Adds an operation that represents an operation of another run. Both end in the same way, with
  /// the same value. If that operation is cancelled, the result of this run is not affected. The new operation does not
  /// count towards the width while it waits.
  ///
  /// ```swift
  /// let built = release.wait(for: building.operation(bundle))
  /// release.add("publish", built) { publish($0) }
  /// ```
  ///
  /// - Complexity: amortised O(1)
  public mutating func wait<Value>(
    for operation: RemoteOperation<Value>, named label: String = ""
  ) -> Operation<Value> {
    let slot = appendSlot(Value.self)
    var link = operation.link
    link.slot = slot
    let index = append(
      label.isEmpty ? link.remote.name : label, .plain {}, [.representing(link)])
    return Operation<Value>(graph: table.graph, index: index, slot: slot)
  }
}

extension OperationGraph.Option {
  fileprivate static func representing(_ link: RemoteLink) -> OperationGraph.Option {
    OperationGraph.Option { $0.remote = link }
  }
}
