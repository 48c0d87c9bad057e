// The steps from the end of an operation to the start of its successors.

extension CoordinatedState {
  /// Starts the run: operations without predecessors can become ready.
  mutating func begin() -> [Action] {
    var actions: [Action] = []
    for operation in nodes.indices { actions.add(look(at: Int32(operation))) }
    return actions
  }

  /// Counts the ends of operations at their successors, one after another. So a long chain of skipped operations does
  /// not grow the stack. What becomes ready meanwhile became ready together, also if it waited for a skipped operation.
  mutating func notifySuccessors() -> [Action] {
    guard !ended.isEmpty else { return [] }
    let arrival = arrivals.next()
    var actions: [Action] = []
    var position = 0
    while position < ended.count {
      let operation = ended[position]
      position += 1
      guard case .ended(let ending) = nodes[Int(operation)].phase else { continue }
      for successor in successors(of: operation) {
        if log.isTraced, case .waiting = nodes[Int(successor)].phase {
          log.appendForTrace(.counted(operation, with: successor))
        }
        nodes[Int(successor)].predecessors.count(
          ending, givesValue: takesValue(of: operation, successor, ending))
        actions.add(look(at: successor, arrival))
      }
    }
    ended.removeAll(keepingCapacity: true)
    return actions
  }

  /// Whether the operation takes this value and has not counted it yet.
  private mutating func takesValue(
    of predecessor: Int32, _ successor: Int32, _ ending: Ending
  ) -> Bool {
    guard case .succeeded = ending, nodes[Int(successor)].predecessors.missingValues > 0 else {
      return false
    }
    return missingValues[successor]?.remove(predecessor) != nil
  }

  /// Decides the next step of a waiting operation.
  ///
  /// - Parameter arrival: the number that it gets if it is ready; nil for the next one.
  mutating func look(at operation: Int32, _ arrival: UInt64? = nil) -> [Action] {
    let index = Int(operation)
    guard case .waiting = nodes[index].phase else { return [] }
    // The operation represents an operation of another run, whose end ends it.
    if nodes[index].predecessors.unended == 0, isRemote(operation) { return [] }
    switch nodes[index].predecessors.verdict(nodes[index].trigger) {
    case .wait: return []
    case .never(let ending): return end(operation, ending)
    case .start where nodes[index].hasCondition:
      setPhase(operation, .asking)
      return [.ask(operation)]
    case .start:
      becomeReady(operation, arrival)
      return []
    }
  }

  func isRemote(_ operation: Int32) -> Bool {
    !graph.table.options.isEmpty && graph.table.options[operation]?.remote != nil
  }

  /// Applies the result of the condition of an operation.
  mutating func answer(_ operation: Int32, _ holds: Bool) -> [Action] {
    guard case .asking = nodes[Int(operation)].phase else { return [] }
    guard holds else { return end(operation, .skipped) }
    becomeReady(operation)
    return []
  }

  mutating func becomeReady(_ operation: Int32, _ arrival: UInt64? = nil) {
    setPhase(operation, .ready)
    if nodes[Int(operation)].attempts > 0 { log.appendForTrace(.readyAgain(operation)) }
    nodes[Int(operation)].arrival = arrival ?? arrivals.next()
    records?.noteReady(operation)
    enqueue(operation)
  }

  mutating func enqueue(_ operation: Int32) {
    let index = Int(operation)
    let rank = Rank(
      priority: nodes[index].priority, arrival: nodes[index].arrival, position: operation)
    ready.push(ReadyEntry(rank: rank, stamp: nodes[index].stamp), to: nodes[index].group)
  }

  /// Ends an operation that has no place, or has freed it.
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
