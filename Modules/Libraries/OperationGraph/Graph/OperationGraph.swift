internal import AsyncRuntime

/// Operations with dependencies: each starts when its predecessors have ended, and gets their
/// values.
///
/// ```swift
/// var build = OperationGraph()
/// let project = build.input(Project.self)
/// let code = build.add("code", project) { try await compile($0.sources) }
/// let pictures = build.addWithCompletion("pictures", project, of: [String].self) {
///   project, done in render(project.pictures, completion: done.closure)
/// }
/// let bundle = build.add("bundle", code, pictures) { try await link($0, $1) }
/// build.add("publish", after: bundle) { publish() }
/// let result = try await build.run(project.value(mine), width: 4)
/// print(try result[bundle])
/// ```
///
/// A graph is a value that only describes the order of operations. It can run many times, and several runs can be in
/// progress at the same time. Each run has its own inputs and values. Without dependencies a graph is a group, and with
/// a width it is a group of bounded concurrency.
///
/// - Each operation ends once, and starts at most once unless it is retried. A second call of a `done` is reported and
///   ignored.
/// - At most `width` operations are in flight at any time. The operations of one worker start in the
///   order in which they became ready. If several became ready together, the one that was added
///   first starts first. An operation whose time is over is no longer in flight.
/// - After the first failure nothing more starts. The run ends with that failure when all operations in flight have
///   ended. Cancelling does the same, with a `CancellationError`.
/// - No thread is blocked, and no closure runs under a lock. A chain of a million operations that end immediately does
///   not grow the stack.
/// - A graph with a cycle is rejected before anything starts, and so is a run whose inputs have no value.
///
/// A run records its events in the `trace` of its runtime, if it has one; otherwise tracing costs
/// nothing. The run is a span, and a child of the span that started it. Its operations are child
/// spans of the run, and the work of each is attributed to its span. Edges record whose end allowed
/// an operation to start: a dependency, or an operation that freed a place or a resource. Each
/// attempt is a span, and each round of a loop is a run. The span of an operation has no start if
/// the operation is skipped, or does not run because of a failure.
public struct OperationGraph: Sendable {
  private(set) var storage = GraphStorage()
  private let label: String

  /// - Parameter label: the name of the graph's runs in traces; “graph” if empty.
  public init(_ label: String = "") { self.label = label }

  private(set) var table: OperationTable {
    @inline(__always) _read { yield storage.table }
    @inline(__always) _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = GraphStorage(copying: storage) }
      yield &storage.table
    }
  }

  /// The name of the graph's runs in the trace of a runtime.
  var tracedName: String { label.isEmpty ? "graph" : label }

  /// The number of operations.
  public var count: Int { table.count }

  // MARK: Inputs

  /// Adds an input. Each run is given its own value for it, and any number of operations may use
  /// that value.
  ///
  /// - Parameters:
  ///   - type: the type of the value.
  ///   - label: its name in reports.
  /// - Complexity: amortised O(1)
  public mutating func input<Value: Sendable>(
    _ type: Value.Type = Value.self, named label: String = ""
  ) -> Operation<Value> {
    Operation<Value>(graph: table.graph, index: -1, slot: table.appendInput(type, label))
  }

  // MARK: Options

  /// Sets options of an operation, in addition to those that it has.
  ///
  /// - Precondition: it is an operation of this graph, and not an input.
  /// - Complexity: amortised O(options)
  public mutating func setOptions<Value>(of operation: Operation<Value>, _ options: [Option]) {
    table.check(operation)
    precondition(operation.index >= 0, "an input has no options: its value exists before the run")
    guard !options.isEmpty else { return }
    table.changeOptions(of: operation.index) { set in for option in options { option.set(&set) } }
  }

  // MARK: Dependencies

  /// Makes one operation come after another. This may create a cycle, which `validate()` and every run then reject.
  ///
  /// - Precondition: both are operations of this graph.
  /// - Complexity: amortised O(1)
  public mutating func addDependency<Successor, Before>(
    of successor: Operation<Successor>, on predecessor: Operation<Before>
  ) {
    addDependencies(of: successor, on: predecessor)
  }

  /// Makes one operation come after several others. They are given as handles, and as arrays of handles.
  ///
  /// - Precondition: all are operations of this graph.
  /// - Complexity: amortised O(predecessors)
  public mutating func addDependencies<Successor>(
    of successor: Operation<Successor>, on predecessors: any Predecessors...
  ) {
    table.check(successor)
    precondition(
      successor.index >= 0, "an input has no predecessors: its value exists before the run")
    for predecessors in predecessors { addDependencies(of: successor, onAll: predecessors) }
  }

  /// Throws if the graph has a cycle. A graph built with `add` alone cannot have one.
  ///
  /// - Complexity: O(operations + dependencies) for the first call after a change; O(1) for later calls.
  public func validate() throws(OperationCycle) { _ = try plan() }

  // MARK: For functions that add operations, and for runs

  mutating func append(
    _ label: String, _ work: consuming OperationWork, _ options: [Option]
  ) -> Int32 {
    let index = table.append(label, isStarting: work.isStarting, options)
    // The change of the table has made the storage unique.
    storage.works.append(work)
    if let barrier = table.barrier { table.appendDependency(of: index, on: barrier) }
    return index
  }

  mutating func appendDependency(of successor: Int32, onIndex predecessor: Int32) {
    table.appendDependency(of: successor, on: predecessor)
  }

  mutating func appendSlots(of part: OperationTable) { table.appendSlots(of: part) }

  mutating func appendInput(at slot: Int32, _ label: String) { table.appendInput(at: slot, label) }

  mutating func setOptions(of operation: Int32, _ options: OperationOptions) {
    table.changeOptions(of: operation) { $0 = options }
  }

  mutating func setLabel(of operation: Int32, _ label: String) {
    table.setLabel(of: operation, label)
  }

  /// - Parameter first: the position of the part's first operation in this graph.
  mutating func appendPart(
    _ name: String, _ operations: ClosedRange<Int32>, of part: OperationTable, from first: Int32
  ) {
    table.parts.append((name, operations))
    for inner in part.parts {
      let range = inner.operations
      table.parts.append(
        ("\(name)/\(inner.name)", first + range.lowerBound...first + range.upperBound))
    }
  }

  mutating func setBarrier(_ operation: Int32) { table.barrier = operation }

  mutating func setBody(of loop: Int32, _ body: OperationGraph) {
    table.bodies[loop] = LoopBody(graph: body)
  }

  mutating func appendDependency<Value>(of successor: Int32, on predecessor: Operation<Value>) {
    appendDependency(of: successor, on: predecessor.predecessor)
  }

  @usableFromInline
  mutating func addDependencies<Successor>(
    of successor: Operation<Successor>, onAll predecessors: any Predecessors
  ) {
    predecessors.forEachPredecessor { appendDependency(of: successor.index, on: $0) }
  }

  private mutating func appendDependency(of successor: Int32, on predecessor: Predecessor) {
    table.check(predecessor)
    if predecessor.index >= 0 { table.appendDependency(of: successor, on: predecessor.index) }
  }

  /// Records the values that the operation needs. Some triggers hold although a predecessor has not succeeded, but the
  /// operation still cannot start without the values that it takes.
  mutating func requireValues<each Value>(
    of predecessors: repeat Operation<each Value>, by operation: Int32
  ) {
    guard table.options[operation]?.trigger ?? .allSucceeded != .allSucceeded else { return }
    for predecessor in repeat each predecessors {
      guard predecessor.index >= 0, !predecessor.isOutcome else { continue }
      table.changeOptions(of: operation) { $0.values.append(predecessor.index) }
    }
  }

  mutating func appendSlot<Value: Sendable>(_ type: Value.Type) -> Int32 { table.appendSlot(type) }

  mutating func setCondition(
    of operation: Int32, _ condition: @escaping @Sendable (OperationFrame) -> Bool
  ) {
    table.setCondition(of: operation, condition)
  }

  /// Whether a run only has to consider the order of operations, because no operation has options.
  var isPlain: Bool { table.options.elements.allSatisfy { $0.names.isEmpty } }

  func plan() throws(OperationCycle) -> GraphPlan {
    do throws(GraphPlan.Cycle) {
      return try storage.plan()
    } catch {
      throw OperationCycle(error.operations.map { table.name(of: $0) })
    }
  }
}
