internal import Synchronization

/// All that was said of a graph's operations, each of which is an index into it.
///
/// What few have stands in lists of its own, so that an operation takes 16 bytes, and each dependency 8.
struct OperationTable: Sendable {
  /// What tells handles of one graph from those of another.
  let graph = Self.graphCount.add(1, ordering: .relaxed).newValue
  private(set) var works: [OperationWork] = []
  private(set) var dependencies: [GraphPlan.Dependency] = []
  private(set) var labels = SparseList<String>()
  private(set) var options = SparseList<OperationOptions>()
  private(set) var slots = SlotList()
  /// What loops run.
  var bodies = SparseList<LoopBody>()
  /// What has become part of the graph, what is in another one behind that.
  var parts: [(name: String, operations: ClosedRange<Int32>)] = []
  /// What every operation that is added comes after.
  var barrier: Int32?
  /// The inputs of a run: where each stands, and what reports call it.
  private(set) var inputs: [(slot: Int32, label: String)] = []

  /// Whether some operation may end elsewhere than where it started.
  private(set) var hasStarting = false

  private static let graphCount = Atomic<UInt32>(0)

  var count: Int { works.count }

  /// - Parameter isStarting: whether the work may end elsewhere than where it started. Told apart, since to
  ///   look into the work is to retain what it holds.
  /// - Returns: the index of the operation.
  mutating func append(
    _ label: String, _ work: consuming OperationWork, isStarting: Bool,
    _ options: [OperationGraph.Option]
  ) -> Int32 {
    let index = Int32(truncatingIfNeeded: works.count)
    works.append(work)
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

  /// An input of a graph that has become part of this one.
  mutating func appendInput(at slot: Int32, _ label: String) { inputs.append((slot, label)) }

  /// Room for the values of a graph that becomes part of this one, laid out as they were there.
  mutating func appendSlots(of part: OperationTable) {
    for slot in part.slots.slots { _ = append(slot.type) }
  }

  private mutating func append<Value: Sendable>(_ type: Value.Type) -> Int32 { slots.append(type) }

  mutating func setLabel(of operation: Int32, _ label: String) { labels[operation] = label }

  /// Room for a value of an operation; below zero if it takes none.
  mutating func appendSlot<Value: Sendable>(_ type: Value.Type) -> Int32 {
    MemoryLayout<Value>.size == 0 ? -1 : slots.append(type)
  }

  /// What a report calls an operation.
  func name(of operation: Int32) -> String { labels[operation] ?? "operation \(operation + 1)" }

  /// What a report calls an input.
  func nameOfInput(_ number: Int) -> String {
    let label = inputs[number].label
    return label.isEmpty ? "input \(number + 1)" : label
  }

  /// Stops on a handle of another graph: its value would be taken for one of another type.
  func check<Value>(_ operation: OperationGraph.Operation<Value>) {
    precondition(
      operation.graph == graph && operation.index < count
        && (operation.isOutcome || slots.holds(Value.self, at: operation.slot)),
      "an operation of another graph: take the handle that this graph's add returned")
  }
}
