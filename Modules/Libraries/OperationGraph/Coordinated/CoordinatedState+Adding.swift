// Adding operations and dependencies while the graph runs.

extension CoordinatedState {
  /// Adds the operations and dependencies that a copy of the graph has and the graph itself does not.
  ///
  /// - Parameters:
  ///   - grown: the copy.
  ///   - count: the number of operations that the graph had when the copy was made.
  ///   - dependencyCount: the number of dependencies that the graph had then.
  /// - Returns: nil if the graph has grown since, so that the copy cannot be used.
  /// - Throws: the reason why the copy is rejected; then nothing has changed.
  mutating func extend(
    to grown: OperationGraph, from count: Int, _ dependencyCount: Int, _ pool: ResourcePool?
  ) throws -> [Action]? {
    guard life == .open else { throw GraphIsClosed() }
    guard graph.table.count == count, graph.table.dependencies.count == dependencyCount else {
      return nil
    }
    let added = grown.table.dependencies[dependencyCount...]
    try refuseLateEdges(added, count, grown.table)
    try refuseCycles(added, grown)
    try refuseTriggers(of: grown.table, from: count, added)
    var extended = self
    try extended.append(grown.table, from: count, pool)
    self = extended
    graph = grown
    log.appendForTrace(.added(from: count))
    for dependency in added { connect(dependency) }
    inherit(along: added)
    var actions: [Action] = []
    // An earlier operation with new predecessors may also be ready, if all of them had ended before.
    let earlier = added.map(\.successor).filter { $0 < count }.sorted()
    for operation in earlier { actions.add(look(at: operation)) }
    for operation in count..<nodes.count { actions.add(look(at: Int32(operation))) }
    return actions
  }

  private mutating func connect(_ dependency: GraphPlan.Dependency) {
    let successor = Int(dependency.successor)
    addedSuccessors[dependency.predecessor, default: []].append(dependency.successor)
    nodes[successor].predecessors.unended += 1
    // The operation was ready, and now waits again.
    if case .ready = nodes[successor].phase { setPhase(dependency.successor, .waiting) }
    if let ending = nodes[Int(dependency.predecessor)].ending {
      // If the end of the predecessor has not been counted yet, `notifySuccessors` counts it for this successor, too.
      guard !ended.contains(dependency.predecessor) else { return }
      log.appendForTrace(.counted(dependency.predecessor, with: dependency.successor))
      var isValue = false
      if case .succeeded = ending, nodes[successor].predecessors.missingValues > 0 {
        isValue = missingValues[dependency.successor]?.remove(dependency.predecessor) != nil
      }
      nodes[successor].predecessors.count(ending, givesValue: isValue)
    }
  }

  /// Raises the priority of operations for which others now wait, directly or indirectly, because
  /// of new dependencies.
  private mutating func inherit(along added: ArraySlice<GraphPlan.Dependency>) {
    var pending = added.filter {
      nodes[Int($0.predecessor)].priority < nodes[Int($0.successor)].priority
    }[...]
    guard !pending.isEmpty else { return }
    let before = Dictionary(grouping: graph.table.dependencies, by: { $0.successor })
    while let dependency = pending.popLast() {
      if raise(dependency.predecessor, to: nodes[Int(dependency.successor)].priority) {
        pending += before[dependency.predecessor] ?? []
      }
    }
  }

  // MARK: Rejecting

  /// Throws if the successor of a new dependency can no longer wait.
  private func refuseLateEdges(
    _ added: ArraySlice<GraphPlan.Dependency>, _ count: Int, _ table: OperationTable
  ) throws {
    for dependency in added where dependency.successor < count {
      let node = nodes[Int(dependency.successor)]
      switch node.phase {
      case .waiting: break
      case .ready where node.attempts == 0: break
      case .ready, .asking, .starting, .running, .delayed, .ended:
        throw LateDependency(
          successor: table.name(of: dependency.successor),
          predecessor: table.name(of: dependency.predecessor))
      }
    }
  }

  private func refuseCycles(
    _ added: ArraySlice<GraphPlan.Dependency>, _ grown: OperationGraph
  ) throws {
    // A cycle needs a dependency on a later operation.
    let pointsForward = grown.table.dependencies.allSatisfy { $0.predecessor < $0.successor }
    if !added.isEmpty, !pointsForward { try grown.validate() }
  }

  private func refuseTriggers(
    of table: OperationTable, from count: Int, _ added: ArraySlice<GraphPlan.Dependency>
  ) throws {
    let successors = Set(added.map(\.successor))
    for (operation, options) in table.options.entries(from: Int32(count)) {
      try refuse(
        options.trigger, of: table.name(of: operation),
        hasPredecessors: successors.contains(operation))
    }
  }
}

/// Operations could not be added, because the run accepts no more.
public struct GraphIsClosed: Error, Hashable, CustomStringConvertible {
  public var description: String {
    "the run accepts no more operations: launch it as open, and add operations before it is closed, "
      + "cancelled, or stopped by a failure"
  }
}

/// An operation that had already started could not be ordered after another one.
public struct LateDependency: Error, Hashable, CustomStringConvertible {
  /// The names of the operations in reports.
  public let successor: String
  public let predecessor: String

  public var description: String {
    "“\(successor)” has started, so it can no longer come after “\(predecessor)”: add the dependency "
      + "earlier, or add it to an operation that has not started"
  }
}
