// From the end of an operation to the start of those after it.

extension CoordinatedState {
  /// The run starts: operations that wait for no other can become ready.
  mutating func begin() -> [Action] { lookAtUnblocked(from: 0) }

  /// Looks at the operations from an index on that wait for no other.
  mutating func lookAtUnblocked(from first: Int) -> [Action] {
    var actions: [Action] = []
    for operation in first..<nodes.count where nodes[operation].predecessors.unended == 0 {
      actions.add(look(at: Int32(operation)))
    }
    return actions
  }

  /// Lets the ends of operations count with their successors, one after another: a long chain of skipped
  /// operations needs no stack.
  mutating func notifySuccessors() -> [Action] {
    var actions: [Action] = []
    var position = 0
    while position < ended.count {
      let operation = ended[position]
      position += 1
      guard case .ended(let ending) = nodes[Int(operation)].phase else { continue }
      var successors: [Int32] = []
      forEachSuccessor(of: operation) { successors.append($0) }
      for successor in successors {
        if log.isTraced, case .waiting = nodes[Int(successor)].phase {
          log.appendForTrace(.counted(operation, with: successor))
        }
        nodes[Int(successor)].predecessors.count(
          ending, givesValue: takesValue(of: operation, successor, ending))
        actions.add(look(at: successor))
      }
    }
    ended.removeAll(keepingCapacity: true)
    return actions
  }

  /// Whether it is the first time that the operation is told of a value it takes.
  private mutating func takesValue(
    of predecessor: Int32, _ successor: Int32, _ ending: Ending
  ) -> Bool {
    guard case .succeeded = ending, nodes[Int(successor)].predecessors.missingValues > 0 else {
      return false
    }
    return missingValues[successor]?.remove(predecessor) != nil
  }

  /// Decides what becomes of an operation that waits.
  mutating func look(at operation: Int32) -> [Action] {
    let index = Int(operation)
    guard case .waiting = nodes[index].phase else { return [] }
    // The operation of another run ends the one that represents it.
    if nodes[index].predecessors.unended == 0, isRemote(operation) { return [] }
    switch nodes[index].predecessors.verdict(nodes[index].trigger) {
    case .wait: return []
    case .never(let ending): return end(operation, ending)
    case .start where nodes[index].hasCondition:
      setPhase(operation, .asking)
      return [.ask(operation)]
    case .start:
      becomeReady(operation)
      return []
    }
  }

  func isRemote(_ operation: Int32) -> Bool {
    !graph.table.options.isEmpty && graph.table.options[operation]?.remote != nil
  }

  /// The condition of an operation has been asked.
  mutating func answer(_ operation: Int32, _ holds: Bool) -> [Action] {
    guard case .asking = nodes[Int(operation)].phase else { return [] }
    guard holds else { return end(operation, .skipped) }
    becomeReady(operation)
    return []
  }

  mutating func becomeReady(_ operation: Int32) {
    setPhase(operation, .ready)
    if nodes[Int(operation)].attempts > 0 { log.appendForTrace(.readyAgain(operation)) }
    nodes[Int(operation)].arrival = arrivals.next()
    records?.noteReady(operation)
    enqueue(operation)
  }

  mutating func enqueue(_ operation: Int32) {
    let index = Int(operation)
    let rank = Rank(priority: nodes[index].priority, arrival: nodes[index].arrival)
    ready.push(
      ReadyQueue.Entry(operation: operation, stamp: nodes[index].stamp, rank: rank),
      to: nodes[index].group)
  }

  /// Ends an operation that has no place, or has left it.
  mutating func end(_ operation: Int32, _ ending: Ending) -> [Action] {
    var actions: [Action] = []
    if case .delayed(let timer?) = nodes[Int(operation)].phase { actions = [.cancelTimer(timer)] }
    setPhase(operation, .ended(ending))
    ended.append(operation)
    records?.noteEnd(operation)
    log.append(.finished(operation, ending))
    if let watchers = watchers.removeValue(forKey: operation) {
      actions += watchers.map { .notify($0, ending) }
    }
    return actions
  }
}
