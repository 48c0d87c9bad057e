// From the end of an operation to the start of those after it.

extension CoordinatedState {
  /// The run begins: what waits for nothing is looked at.
  mutating func begin() {
    for operation in nodes.indices where nodes[operation].unended == 0 {
      look(at: Int32(operation))
    }
  }

  /// Lets the ends of operations count with those that come after them, one after another: a long row of
  /// operations that are left out needs no stack.
  mutating func tellSuccessors() {
    var position = 0
    while position < ended.count {
      let operation = ended[position]
      position += 1
      guard let ending = nodes[Int(operation)].ending else { continue }
      var successors: [Int32] = []
      forEachSuccessor(of: operation) { successors.append($0) }
      for successor in successors {
        if isTold, case .waiting = nodes[Int(successor)].phase {
          effects.events.append(.counted(operation, with: successor))
        }
        nodes[Int(successor)].count(
          ending, givesValue: takesValue(of: operation, successor, ending))
        look(at: successor)
      }
    }
    ended.removeAll(keepingCapacity: true)
  }

  /// Whether it is the first time that the operation is told of a value it takes.
  private mutating func takesValue(
    of predecessor: Int32, _ successor: Int32, _ ending: Ending
  ) -> Bool {
    guard case .succeeded = ending, nodes[Int(successor)].missingValues > 0 else { return false }
    return missingValues[successor]?.remove(predecessor) != nil
  }

  /// Decides what becomes of an operation that waits.
  mutating func look(at operation: Int32) {
    let node = nodes[Int(operation)]
    guard case .waiting = node.phase else { return }
    // One that stands for an operation of another run is told by that one.
    if isRemote(operation) && node.unended == 0 { return }
    switch node.verdict {
    case .wait: break
    case .never(let ending): end(operation, ending)
    case .start:
      if node.hasCondition {
        setPhase(operation, .asking)
        effects.asks.append(operation)
      } else {
        becomeReady(operation)
      }
    }
  }

  func isRemote(_ operation: Int32) -> Bool {
    !graph.table.options.isEmpty && graph.table.options[operation]?.remote != nil
  }

  /// Its condition has been asked.
  mutating func answer(_ operation: Int32, _ holds: Bool) {
    guard case .asking = nodes[Int(operation)].phase else { return }
    if holds { becomeReady(operation) } else { end(operation, .skipped) }
  }

  mutating func becomeReady(_ operation: Int32) {
    setPhase(operation, .ready)
    if isTold, nodes[Int(operation)].attempts > 0 { effects.events.append(.readyAgain(operation)) }
    nodes[Int(operation)].arrival = arrivals.next()
    // An attempt that follows a failure is not when it could have started.
    if records?[Int(operation)].ready == nil { records?[Int(operation)].ready = now }
    enqueue(operation)
  }

  mutating func enqueue(_ operation: Int32) {
    let node = nodes[Int(operation)]
    ready[node.group].push(
      ReadyQueue.Entry(
        operation: operation, stamp: node.stamp,
        rank: Rank(priority: node.priority, arrival: node.arrival)))
  }

  /// Puts an end to an operation that does not run.
  mutating func end(_ operation: Int32, _ ending: Ending) {
    setPhase(operation, .ended(ending))
    if let timer = nodes[Int(operation)].timer.take() { effects.timers.append(timer) }
    ended.append(operation)
    records?[Int(operation)].finished = now
    if isObserved || isTold { effects.events.append(.finished(operation, ending)) }
    for watcher in watchers.removeValue(forKey: operation) ?? [] {
      effects.watchers.append((watcher, ending))
    }
  }
}
