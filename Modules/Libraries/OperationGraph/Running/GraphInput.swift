/// A value for an input of a graph, for one run: `project.value(mine)`.
public struct GraphInput: Sendable {
  let graph: UInt32
  let slot: Int32
  let type: any Sendable.Type
  let store: @Sendable (RunValues.Places) -> Void
}

extension OperationGraph.Operation {
  /// The value for this input in a run.
  ///
  /// - Precondition: this is an input, made by `OperationGraph.input(_:named:)`.
  public func value(_ value: Value) -> GraphInput {
    precondition(index < 0, "only an input can be given a value: an operation makes its own")
    return GraphInput(graph: graph, slot: slot, type: Value.self) { [slot] places in
      places.store(value, at: slot)
    }
  }
}

/// The values given to a run do not match the inputs of its graph: a value is missing, was given twice, or is for
/// another graph.
public struct GraphInputError: Error, Hashable, CustomStringConvertible {
  public var description: String

  static func missing(_ name: String) -> GraphInputError {
    GraphInputError(
      description:
        "the graph's \(name) has no value: give the run one, with value(_:) of the input's handle")
  }

  static func twice(_ name: String) -> GraphInputError {
    GraphInputError(
      description: "the graph's \(name) was given two values: give the run one of them")
  }

  static let foreign = GraphInputError(
    description:
      "a value was given for an input of another graph: use the handle that this graph's input returned"
  )
}

extension RunValues {
  /// Stores the values that a run is given.
  ///
  /// - Throws: an error unless each input has exactly one value.
  func store(_ given: [GraphInput], of graph: GraphStorage) throws(GraphInputError) {
    for input in given {
      guard let number = graph.table.inputs.firstIndex(where: { $0.slot == input.slot }),
        input.graph == graph.table.graph, slots.slots[Int(input.slot)].type == input.type
      else { throw .foreign }
      guard !places.isFilled(input.slot) else { throw .twice(graph.table.nameOfInput(number)) }
      input.store(places)
    }
    if given.count < graph.table.inputs.count,
      let number = graph.table.inputs.firstIndex(where: { !places.isFilled($0.slot) })
    {
      throw .missing(graph.table.nameOfInput(number))
    }
  }
}
