extension OperationGraph {
  /// Embeds a copy of another graph in this one. The copied operations share the run's width, resources and priorities
  /// with all others. Reports call them `name/…`.
  ///
  /// ```swift
  /// let tests = build.embed("tests", testGraph, project.feeding(from: code))
  /// build.add("publish", tests[report], after: tests.end) { publish($0) }
  /// ```
  ///
  /// - Parameters:
  ///   - name: the name of the part.
  ///   - graph: the graph that is copied.
  ///   - feeds: operations of this graph that provide the values of the part's inputs. All other inputs must get values
  ///     when the run starts, through the part's handles.
  /// - Complexity: O(operations of the part)
  @discardableResult
  public mutating func embed(
    _ name: String, _ graph: OperationGraph, _ feeds: PartFeed...
  ) -> Part {
    let begin = append("\(name)/begin", .plain {}, [])
    let (firstOperation, firstSlot) = (Int32(table.count), Int32(table.slots.count))
    appendEntries(of: graph.storage, named: name, firstOperation, firstSlot)
    var hasPredecessor = [Bool](repeating: false, count: graph.count)
    var hasSuccessor = hasPredecessor
    for dependency in graph.table.dependencies {
      appendDependency(
        of: firstOperation + dependency.successor, onIndex: firstOperation + dependency.predecessor)
      hasPredecessor[Int(dependency.successor)] = true
      hasSuccessor[Int(dependency.predecessor)] = true
    }
    // If operations may be skipped, the success of the last operations no longer shows that all went well.
    let isPlain = graph.isPlain
    let end = append(
      "\(name)/end", .plain {}, isPlain ? [] : [.trigger(.noneFailed)])
    for operation in 0..<Int32(graph.count) {
      if !hasPredecessor[Int(operation)] {
        appendDependency(of: firstOperation + operation, onIndex: begin)
      }
      if !isPlain || !hasSuccessor[Int(operation)] {
        appendDependency(of: end, onIndex: firstOperation + operation)
      }
    }
    appendDependency(of: end, onIndex: begin)
    feed(feeds, to: graph.table, begin, firstSlot)
    appendPart(name, begin...end, of: graph.table, from: firstOperation)
    return Part(
      name: name, begin: Operation(graph: table.graph, index: begin, slot: -1),
      end: Operation(graph: table.graph, index: end, slot: -1), source: graph.table.graph,
      graph: table.graph, firstOperation: firstOperation, firstSlot: firstSlot,
      count: Int32(graph.count))
  }

  private mutating func appendEntries(
    of part: GraphStorage, named name: String, _ firstOperation: Int32, _ firstSlot: Int32
  ) {
    let table = part.table
    appendSlots(of: table)
    for (loop, body) in zip(table.bodies.indices, table.bodies.elements) {
      setBody(of: firstOperation + loop, body.graph)
    }
    for operation in 0..<Int32(table.count) {
      _ = append(
        "\(name)/\(table.name(of: operation))",
        part.works[Int(operation)].moved(firstOperation, firstSlot), [])
      guard let options = table.options[operation] else { continue }
      setOptions(of: firstOperation + operation, options.moved(firstOperation, firstSlot))
    }
  }

  /// Gives the inputs of a part their values as soon as these are available, before the part starts.
  private mutating func feed(
    _ feeds: [PartFeed], to part: OperationTable, _ begin: Int32, _ firstSlot: Int32
  ) {
    var fed: Set<Int32> = []
    for feed in feeds {
      precondition(
        feed.input.graph == part.graph && fed.insert(feed.input.slot).inserted,
        "the input belongs to another graph, or is already fed: feed each input of the part once")
      table.check(feed.source)
      let slot = firstSlot + feed.input.slot
      let index = append(
        "", .function { frame in feed.copy(frame, frame.place(of: slot)) },
        [])
      setLabel(of: index, "\(table.name(of: begin).dropLast(6))/input")
      // An input has its value before anything starts.
      if feed.source.index >= 0 { appendDependency(of: index, onIndex: feed.source.index) }
      appendDependency(of: begin, onIndex: index)
    }
    for (number, input) in part.inputs.enumerated() where !fed.contains(input.slot) {
      appendInput(at: firstSlot + input.slot, part.nameOfInput(number))
    }
  }
}

/// The source of the value of an input of an embedded graph.
public struct PartFeed: Sendable {
  let input: (graph: UInt32, slot: Int32)
  let source: OperationGraph.Predecessor
  let copy: @Sendable (OperationFrame, Int32) -> Void
}

extension OperationGraph.Operation {
  /// Provides the value of an input of an embedded graph from an operation or an input of the embedding graph.
  ///
  /// - Precondition: this is an input, and `operation` belongs to the embedding graph.
  public func feeding(from operation: OperationGraph.Operation<Value>) -> PartFeed {
    precondition(index < 0, "only an input can be fed: an operation makes its own value")
    return PartFeed(input: (graph, slot), source: operation.predecessor) { frame, slot in
      frame.values.store(frame.value(of: operation), at: slot)
    }
  }
}

extension OperationFrame {
  func moved(_ operations: Int32, _ slots: Int32) -> OperationFrame {
    var frame = self
    frame.firstOperation += operations
    frame.firstSlot += slots
    return frame
  }
}

extension OperationOptions {
  fileprivate func moved(_ firstOperation: Int32, _ firstSlot: Int32) -> OperationOptions {
    var options = self
    options.values = values.map { firstOperation + $0 }
    if let condition {
      options.condition = { condition($0.moved(firstOperation, firstSlot)) }
    }
    if let slot = remote?.slot, slot >= 0 { options.remote?.slot = firstSlot + slot }
    return options
  }
}
