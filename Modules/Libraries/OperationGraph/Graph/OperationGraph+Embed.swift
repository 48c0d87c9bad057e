extension OperationGraph {
  /// Makes a copy of another graph part of this one: its operations share the run's width, resources and
  /// priorities with all others, and are called `name/…` in reports.
  ///
  /// ```swift
  /// let tests = build.embed("tests", testGraph, project.feeding(from: code))
  /// build.add("publish", tests[report], after: tests.end) { publish($0) }
  /// ```
  ///
  /// - Parameters:
  ///   - name: of the part.
  ///   - graph: what is copied.
  ///   - feeds: operations of this graph that inputs of the part get their values from; other inputs
  ///     are the run's to give, by the part's handles.
  /// - Complexity: O(operations of the part)
  @discardableResult
  public mutating func embed(
    _ name: String, _ graph: OperationGraph, _ feeds: PartFeed...
  ) -> Part {
    let begin = append("\(name)/begin", .plain {}, isStarting: false, [])
    let (firstOperation, firstSlot) = (Int32(table.count), Int32(table.slots.count))
    appendEntries(of: graph.table, named: name, firstOperation, firstSlot)
    var hasPredecessor = [Bool](repeating: false, count: graph.count)
    var hasSuccessor = hasPredecessor
    for dependency in graph.table.dependencies {
      appendDependency(
        of: firstOperation + dependency.successor, onIndex: firstOperation + dependency.predecessor)
      hasPredecessor[Int(dependency.successor)] = true
      hasSuccessor[Int(dependency.predecessor)] = true
    }
    // Once something may be left out, who comes last no longer tells that all went well.
    let isPlain = graph.isPlain
    let end = append(
      "\(name)/end", .plain {}, isStarting: false, isPlain ? [] : [.trigger(.noneFailed)])
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
    of part: OperationTable, named name: String, _ firstOperation: Int32, _ firstSlot: Int32
  ) {
    appendSlots(of: part)
    for (loop, body) in zip(part.bodies.indices, part.bodies.elements) {
      setBody(of: firstOperation + loop, body.graph)
    }
    for operation in 0..<Int32(part.count) {
      _ = append(
        "\(name)/\(part.name(of: operation))",
        part.works[Int(operation)].moved(firstOperation, firstSlot),
        isStarting: part.works[Int(operation)].isStarting, [])
      guard let options = part.options[operation] else { continue }
      setOptions(of: firstOperation + operation, options.moved(firstOperation, firstSlot))
    }
  }

  /// Gives the inputs of a part their values as soon as these are there, before the part begins.
  private mutating func feed(
    _ feeds: [PartFeed], to part: OperationTable, _ begin: Int32, _ firstSlot: Int32
  ) {
    var fed: Set<Int32> = []
    for feed in feeds {
      precondition(
        feed.input.graph == part.graph && fed.insert(feed.input.slot).inserted,
        "an input of another graph, or one that is fed already: feed each input of the part once")
      let slot = firstSlot + feed.input.slot
      let index = append(
        "", .function { frame in feed.copy(frame, frame.place(of: slot)) },
        isStarting: false, [])
      setLabel(of: index, "\(table.name(of: begin).dropLast(6))/input")
      appendDependency(of: index, onIndex: feed.source)
      appendDependency(of: begin, onIndex: index)
    }
    for (number, input) in part.inputs.enumerated() where !fed.contains(input.slot) {
      appendInput(at: firstSlot + input.slot, part.nameOfInput(number))
    }
  }
}

/// Where an input of an embedded graph gets its value from.
public struct PartFeed: Sendable {
  let input: (graph: UInt32, slot: Int32)
  let source: Int32
  let copy: @Sendable (OperationFrame, Int32) -> Void
}

extension OperationGraph.Operation {
  /// An input of a graph that is embedded in another one gets the value of an operation there.
  ///
  /// - Precondition: this is an input, and the other one belongs to the graph that embeds.
  public func feeding(from operation: OperationGraph.Operation<Value>) -> PartFeed {
    precondition(index < 0, "only an input is fed: an operation makes its value itself")
    return PartFeed(input: (graph, slot), source: operation.index) { frame, slot in
      frame.values.store(frame.value(of: operation), at: slot)
    }
  }
}

extension OperationWork {
  fileprivate var isStarting: Bool { if case .starting = self { true } else { false } }

  /// The work of an operation whose graph has become part of another one.
  fileprivate func moved(_ firstOperation: Int32, _ firstSlot: Int32) -> OperationWork {
    switch self {
    case .plain: self
    case .function(let body): .function { try body($0.moved(firstOperation, firstSlot)) }
    case .starting(let body):
      .starting { frame, token in body(frame.moved(firstOperation, firstSlot), token) }
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
