// Applying the options of operations, when a run starts and when operations are added.

extension CoordinatedState {
  /// Adds the operations from an index on, without their dependencies.
  ///
  /// - Throws: `ResourceError` for a need that can never be met.
  mutating func append(_ table: OperationTable, from first: Int, _ pool: ResourcePool?) throws {
    nodes.reserveCapacity(table.count)
    var options = table.options.entries(from: Int32(first))[...]
    for operation in Int32(first)..<Int32(table.count) {
      var own = OperationOptions()
      if let next = options.first, next.index == operation {
        own = next.element
        options.removeFirst()
      }
      try append(own, operation, table, pool)
    }
  }

  private mutating func append(
    _ options: OperationOptions, _ operation: Int32, _ table: OperationTable, _ pool: ResourcePool?
  ) throws {
    let group = try group(options.needs, table.name(of: operation), pool)
    if !options.values.isEmpty { missingValues[operation] = Set(options.values) }
    nodes.append(
      CoordinatedNode(
        trigger: options.trigger,
        predecessors: .init(missingValues: Int32(missingValues[operation]?.count ?? 0)),
        ownPriority: options.priority.rawValue, priority: options.priority.rawValue, group: group,
        hasCondition: options.condition != nil, retry: options.retry, timeout: options.timeout))
    counts.waiting += 1
    records?.append()
  }

  private mutating func group(
    _ needs: [Need], _ name: String, _ pool: ResourcePool?
  ) throws -> Int {
    guard !needs.isEmpty else { return 0 }
    guard let pool else { throw ResourceError(operation: name, need: needs[0], limit: nil) }
    return ready.number(of: try pool.resolve(needs, of: name))
  }

  /// Throws a `TriggerError` if an operation could never start.
  func refuseTriggers(from first: Int, hasPredecessors: (Int) -> Bool) throws {
    for operation in first..<nodes.count {
      try refuse(
        nodes[operation].trigger, of: name(of: Int32(operation)),
        hasPredecessors: hasPredecessors(operation))
    }
  }

  func refuse(
    _ trigger: OperationGraph.Trigger, of name: @autoclosure () -> String, hasPredecessors: Bool
  ) throws {
    guard trigger == .anySucceeded || trigger == .anyFailed else { return }
    if !hasPredecessors { throw TriggerError(operation: name(), trigger, .comesAfterNothing) }
    if trigger == .anyFailed, !policy.startsAfterFailure {
      throw TriggerError(operation: name(), trigger, .nothingStarts)
    }
  }

  // MARK: Priorities

  /// Gives every operation at least the priority of each operation that waits for it.
  mutating func inheritPriorities() {
    guard nodes.contains(where: { $0.ownPriority != 0 }) else { return }
    let priorities = plan.effectivePriorities(nodes.map(\.ownPriority))
    for operation in nodes.indices { nodes[operation].priority = priorities[operation] }
  }

  /// - Returns: whether its priority was lower.
  @discardableResult
  mutating func raise(_ operation: Int32, to priority: Int) -> Bool {
    guard nodes[Int(operation)].priority < priority else { return false }
    nodes[Int(operation)].priority = priority
    if case .ready = nodes[Int(operation)].phase {
      nodes[Int(operation)].stamp &+= 1
      enqueue(operation)
    }
    return true
  }
}

/// An operation that could never start, whatever happens.
public struct TriggerError: Error, Hashable, CustomStringConvertible {
  /// The name of the operation in reports.
  public let operation: String
  public let trigger: OperationGraph.Trigger
  private let fault: Fault

  enum Fault: Hashable {
    case comesAfterNothing, nothingStarts
  }

  init(operation: String, _ trigger: OperationGraph.Trigger, _ fault: Fault) {
    self.operation = operation
    self.trigger = trigger
    self.fault = fault
  }

  public var description: String {
    switch fault {
    case .comesAfterNothing:
      "“\(operation)” has the trigger \(trigger.rawValue) but no predecessor, so it could never "
        + "start: add a dependency, or leave the trigger out"
    case .nothingStarts:
      "“\(operation)” has the trigger \(trigger.rawValue), but with this policy nothing "
        + "starts after a failure: use onFailure: .finishIndependent or .continue"
    }
  }
}
