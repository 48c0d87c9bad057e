/// The result of a run: the values of its operations, and how each ended.
public struct GraphResult: Sendable {
  private let graph: GraphStorage
  let values: RunValues
  /// How each operation ended; nil if all have succeeded.
  let endings: [Ending]?

  init(_ graph: GraphStorage, _ values: RunValues, endings: [Ending]? = nil) {
    self.graph = graph
    self.values = values
    self.endings = endings
  }

  /// The value of an operation.
  ///
  /// - Throws: the operation's error if it failed; `OperationWithoutValue` if it was cancelled or skipped.
  /// - Precondition: the operation belongs to the graph that was run.
  public subscript<Value>(operation: OperationGraph.Operation<Value>) -> Value {
    get throws {
      graph.table.check(operation)
      let ending = ending(of: operation.index)
      if operation.isOutcome { return values.places.outcome(at: operation.slot, ending) }
      switch ending {
      case .succeeded: return values.places.value(at: operation.slot, as: Value.self)
      case .failed(let error): throw error
      case .cancelled, .skipped:
        throw OperationWithoutValue(operation: graph.table.name(of: operation.index))
      }
    }
  }

  /// How an operation ended, with its value if it has one.
  ///
  /// - Precondition: the operation belongs to the graph that was run.
  public func outcome<Value>(
    of operation: OperationGraph.Operation<Value>
  ) -> OperationGraph.Outcome<Value> {
    graph.table.check(operation)
    let ending = ending(of: operation.index)
    return operation.isOutcome
      ? .success(values.places.outcome(at: operation.slot, ending))
      : .read(operation.slot, of: values.places, ending)
  }

  private func ending(of operation: Int32) -> Ending {
    guard let endings, operation >= 0 else { return .succeeded }
    return endings[Int(operation)]
  }
}

/// An operation has no value: it was cancelled or skipped.
public struct OperationWithoutValue: Error, Hashable, CustomStringConvertible {
  /// The name of the operation in reports.
  public let operation: String

  public var description: String {
    "“\(operation)” has no value, since it was cancelled or skipped; ask for its outcome instead"
  }
}
