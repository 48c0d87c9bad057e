internal import AsyncRuntime

/// Operations with dependencies: each starts when those it comes after have ended, and gets their values.
///
/// ```swift
/// var build = OperationGraph()
/// let project = build.input(Project.self)
/// let code = build.add("code", project) { try await compile($0.sources) }
/// let pictures = build.add("pictures", project) { project, done in
///   render(project.pictures) { done($0) }
/// }
/// let bundle = build.add("bundle", code, pictures) { try await link($0, $1) }
/// build.add("publish", after: bundle) { publish() }
/// let result = try await build.run(project.value(mine), width: 4)
/// print(try result[bundle])
/// ```
///
/// A graph is a value and says only what comes after what. It can be run again and again, also several
/// times at once; each run has inputs and values of its own. Without dependencies it is a group, and with a
/// width a group of bounded concurrency.
///
/// - Each operation starts once at most, and ends once: a second call of a `done` is reported and ignored.
/// - No more than `width` are in flight at any time. What is ready first starts first, as far as one worker
///   starts it, and of several that became ready together the one that was added first.
/// - At the first failure nothing more starts; the run ends with that failure once all those in flight have
///   ended. Cancelling does the same, with a `CancellationError`.
/// - No thread waits, and no closure runs under a lock. A chain of a million operations that end at once
///   needs no stack.
/// - A cycle is refused before anything starts, and so is a graph whose inputs have no value.
///
/// A run tells the `trace` of its runtime what it does, if somebody listens, and else that costs nothing: the run is a
/// span, a part of what began it, and its operations are parts of that, each on behalf of which its own work is done.
/// Edges say whose end let one start: a dependency, or who left it a place or a resource. Each attempt is a span, and
/// each round of a loop a run; what is skipped, or left out after a failure, never starts.
public struct OperationGraph: Sendable {
  private(set) var storage = GraphStorage(OperationTable())
  private let label: String

  /// - Parameter label: what traces call a run of it; “graph” if empty.
  public init(_ label: String = "") { self.label = label }

  private(set) var table: OperationTable {
    @inline(__always) _read { yield storage.table }
    @inline(__always) _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = GraphStorage(storage.table) }
      yield &storage.table
    }
  }

  /// What the trace of a runtime calls a run of it.
  var tracedName: String { label.isEmpty ? "graph" : label }

  /// How many operations there are.
  public var count: Int { table.count }

  // MARK: Inputs

  /// Adds an input: a value that each run is given anew, for any number of operations.
  ///
  /// - Parameters:
  ///   - type: of the value.
  ///   - label: what reports call it.
  /// - Complexity: amortised O(1)
  public mutating func input<Value: Sendable>(
    _ type: Value.Type = Value.self, named label: String = ""
  ) -> Operation<Value> {
    Operation<Value>(graph: table.graph, index: -1, slot: table.appendInput(type, label))
  }

  // MARK: Options

  /// Sets options of an operation, beside those that it has.
  ///
  /// - Precondition: it is an operation of this graph, and not an input.
  /// - Complexity: amortised O(options)
  public mutating func setOptions<Value>(of operation: Operation<Value>, _ options: [Option]) {
    table.check(operation)
    precondition(operation.index >= 0, "an input has no options: it is there before the run")
    guard !options.isEmpty else { return }
    table.changeOptions(of: operation.index) { set in for option in options { option.set(&set) } }
  }

  // MARK: Dependencies

  /// Makes one operation come after another. It may close a cycle, which `validate()` and every run then
  /// refuse.
  ///
  /// - Precondition: both are operations of this graph.
  /// - Complexity: amortised O(1)
  public mutating func addDependency<Successor, Predecessor>(
    of successor: Operation<Successor>, on predecessor: Operation<Predecessor>
  ) {
    table.check(successor)
    precondition(successor.index >= 0, "an input comes after nothing: it is there before the run")
    appendDependency(of: successor.index, on: predecessor)
  }

  /// Makes one operation come after several others.
  ///
  /// - Precondition: all are operations of this graph.
  /// - Complexity: amortised O(predecessors)
  public mutating func addDependencies<Successor, Predecessor>(
    of successor: Operation<Successor>, on predecessors: some Sequence<Operation<Predecessor>>
  ) {
    for predecessor in predecessors { addDependency(of: successor, on: predecessor) }
  }

  /// Refuses a cycle. What `add` alone makes cannot have one.
  ///
  /// - Complexity: O(operations + dependencies) once after a change.
  public func validate() throws(OperationCycle) { _ = try plan() }

  // MARK: For who adds and who runs

  mutating func append(
    _ label: String, _ work: consuming OperationWork, isStarting: Bool,
    _ options: [Option]
  ) -> Int32 {
    let index = table.append(label, work, isStarting: isStarting, options)
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

  /// - Parameter first: the place of the first operation that was in the part's graph.
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
    table.check(predecessor)
    if predecessor.index >= 0 { table.appendDependency(of: successor, on: predecessor.index) }
  }

  /// With a trigger that may hold without them, the operation still cannot start without the values.
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

  /// Whether a run has to heed no more than what comes after what.
  var isPlain: Bool { table.options.elements.allSatisfy { $0.names.isEmpty } }

  func plan() throws(OperationCycle) -> GraphPlan {
    do throws(GraphPlan.Cycle) {
      return try storage.plan()
    } catch {
      throw OperationCycle(error.operations.map { table.name(of: $0) })
    }
  }
}
