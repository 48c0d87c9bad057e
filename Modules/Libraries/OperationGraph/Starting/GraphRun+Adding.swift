extension GraphRun {
  /// Adds operations and dependencies while the graph runs, all of them together.
  ///
  /// ```swift
  /// let page = try run.add { graph in
  ///   let page = graph.add("page", index) { try await load($0.first) }
  ///   graph.addDependency(of: publish, on: page)
  ///   return page
  /// }
  /// ```
  ///
  /// An operation that has not started can be made to come after others, including new ones. An operation that has
  /// started cannot. If a predecessor has already ended, its outcome still counts for the new dependency. An operation
  /// can add to its own run through ``current``.
  ///
  /// - Parameter body: adds to the graph, and does nothing else. It is called again if other code
  ///   adds at the same time. It must not add inputs.
  /// - Returns: the result of `body`.
  /// - Throws: any error that `body` throws; a `GraphInputError` if `body` adds an input; `GraphIsClosed` for a run
  ///   that is not open. It can also throw an `OperationCycle`, a `LateDependency`, a `ResourceError` or a
  ///   `TriggerError`. In all these cases nothing was added.
  /// - Complexity: O(operations of the graph): add many in one call.
  @discardableResult
  public func add<Result>(_ body: (inout OperationGraph) throws -> Result) throws -> Result {
    while true {
      var graph = run.read { $0.graph }
      let (count, dependencies) = (graph.table.count, graph.table.dependencies.count)
      let inputs = graph.table.inputs.count
      let result = try body(&graph)
      guard graph.table.inputs.count == inputs else {
        throw GraphInputError.missing(graph.table.nameOfInput(inputs))
      }
      if try run.extend(to: graph, from: count, dependencies) { return result }
    }
  }

  /// Makes an operation that has not started come after another one: see ``add(_:)``.
  public func addDependency<Successor, Predecessor>(
    of successor: OperationGraph.Operation<Successor>,
    on predecessor: OperationGraph.Operation<Predecessor>
  ) throws {
    try add { $0.addDependency(of: successor, on: predecessor) }
  }

  /// Stops accepting operations. The run ends when all its operations have ended. A closed run cannot be opened again.
  public func close() { run.change { $0.close() } }

  /// Whether operations can be added.
  public var isOpen: Bool { run.read { $0.life == .open } }
}

extension CoordinatedRun {
  func extend(to graph: OperationGraph, from count: Int, _ dependencies: Int) throws -> Bool {
    guard isGrowing else { throw GraphIsClosed() }
    let (isDone, decision) = decide { state, _ -> (Result<Bool, any Error>, [State.Action]) in
      do {
        let actions = try state.extend(to: graph, from: count, dependencies, resources)
        guard let actions else { return (.success(false), []) }
        values.extend(graph.table.slots)
        return (.success(true), actions)
      } catch {
        return (.failure(error), [])
      }
    }
    perform(decision)
    guard try isDone.get() else { return false }
    connectRemotes(from: Int32(count))
    return true
  }
}
