internal import Synchronization

/// The description of a graph's operations, each identified by its index. Their work is stored beside it.
///
/// Properties that few operations have are stored in separate lists. So an operation takes the 16 bytes of its work, and
/// each dependency takes 8.
struct OperationTable: Sendable {
  /// Distinguishes handles of this graph from those of other graphs.
  let graph = Self.graphCount.add(1, ordering: .relaxed).newValue
  private(set) var count = 0
  private(set) var dependencies: [GraphPlan.Dependency] = []
  private(set) var labels = SparseList<String>()
  private(set) var options = SparseList<OperationOptions>()
  private(set) var slots = SlotList()
  /// The graphs that loops run.
  var bodies = SparseList<LoopBody>()
  /// The parts embedded in the graph. A part's own parts follow it.
  var parts: [(name: String, operations: ClosedRange<Int32>)] = []
  /// The operation that every newly added operation comes after.
  var barrier: Int32?
  /// The inputs of a run: the slot of each, and its name in reports.
  private(set) var inputs: [(slot: Int32, label: String)] = []

  /// Whether any operation may end outside the call that starts it.
  private(set) var hasStarting = false

  private static let graphCount = Atomic<UInt32>(0)

  /// - Parameter isStarting: whether the work may end outside the call that starts it.
  /// - Returns: the index of the operation.
  mutating func append(
    _ label: String, isStarting: Bool, _ options: [OperationGraph.Option]
  ) -> Int32 {
    let index = Int32(truncatingIfNeeded: count)
    count += 1
    if isStarting { hasStarting = true }
    if !label.isEmpty { labels[index] = label }
    if !options.isEmpty {
      var set = OperationOptions()
      for option in options { option.set(&set) }
      self.options[index] = set
    }
    return index
  }

  mutating func appendDependency(of successor: Int32, on predecessor: Int32) {
    dependencies.append(GraphPlan.Dependency(predecessor: predecessor, successor: successor))
  }

  mutating func setCondition(
    of operation: Int32, _ condition: @escaping @Sendable (OperationFrame) -> Bool
  ) {
    changeOptions(of: operation) { $0.condition = condition }
  }

  mutating func changeOptions(of operation: Int32, _ change: (inout OperationOptions) -> Void) {
    var changed = options[operation] ?? OperationOptions()
    change(&changed)
    options[operation] = changed
  }

  mutating func appendInput(_ type: (some Sendable).Type, _ label: String) -> Int32 {
    let slot = slots.append(type)
    inputs.append((slot, label))
    return slot
  }

  /// Adds an input of a graph that is embedded in this one.
  mutating func appendInput(at slot: Int32, _ label: String) { inputs.append((slot, label)) }

  /// Adds slots for the values of a graph that is embedded in this one, in the same order as in that graph.
  mutating func appendSlots(of part: OperationTable) {
    for slot in part.slots.slots { _ = append(slot.type) }
  }

  private mutating func append<Value: Sendable>(_ type: Value.Type) -> Int32 { slots.append(type) }

  mutating func setLabel(of operation: Int32, _ label: String) { labels[operation] = label }

  /// Adds a slot for the value of an operation; returns a negative number if the value takes no space.
  mutating func appendSlot<Value: Sendable>(_ type: Value.Type) -> Int32 {
    MemoryLayout<Value>.size == 0 ? -1 : slots.append(type)
  }

  /// The name of an operation in reports.
  func name(of operation: Int32) -> String { labels[operation] ?? "operation \(operation + 1)" }

  /// The name of an input in reports.
  func nameOfInput(_ number: Int) -> String {
    let label = inputs[number].label
    return label.isEmpty ? "input \(number + 1)" : label
  }

  /// Traps if the handle belongs to another graph, because its value could then be read as another type.
  func check<Value>(_ operation: OperationGraph.Operation<Value>) { check(operation.predecessor) }

  func check(_ operation: OperationGraph.Predecessor) {
    precondition(
      operation.graph == graph && operation.index < count
        && slots.holds(operation.type, at: operation.slot),
      "the operation belongs to another graph: use the handle that this graph's add returned")
  }
}
