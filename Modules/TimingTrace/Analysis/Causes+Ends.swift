internal import AsyncPatterns

/// What nodes had to wait for before they ended, beyond what they did themselves.
extension Causes {
  /// Who held the lane on which a node's end was to come when it was due; of one that was called off, who resolved a
  /// pattern around it then. Nil where it is the node's own time that it took.
  ///
  /// - Complexity: O(1).
  func end(of node: Int) -> Cause? { ends[node] }

  /// Whether a node ended since another one resolved a pattern around it. What was called off and went on nevertheless
  /// was not ended by that.
  func isCalledOff(_ node: Int) -> Bool { ends[node]?.kind == .resolvedBy }

  /// Who held the lane on which a node's end was to come, or resolved a pattern around it; of one that was called off
  /// itself, who did that, short of the run as a whole.
  func ender(of node: Int) -> Int? {
    guard var ender = ends[node]?.leaf else { return nil }
    for _ in 0..<Self.furthest {
      guard isCalledOff(ender), let next = ends[ender]?.leaf, !table.isRun(next) else { break }
      ender = next
    }
    return ender
  }

  /// Whether a pattern may have waited for the end of a part: unless a timer has cut that off, and the pattern ended with
  /// something else.
  func awaits(_ part: Int, in pattern: Int) -> Bool {
    !table.nodes[part].goesOn || lastLeaves.all[pattern] == lastLeaves.all[part]
  }

  /// Whether a pattern ended with a part that was cut off then, and went on.
  func isLastCut(_ part: Int, of pattern: Int) -> Bool {
    lastLeaves.all[pattern] == part
      && table.nodes[part].finishPosition > table.nodes[pattern].finishPosition
  }

  /// For how long a node's end waited for who held its lane: so much later could it have been due.
  ///
  /// - Complexity: O(1).
  func endSlack(of node: Int) -> Int64 { endSlacks[node] ?? 0 }

  func slack(ofEnd node: Int, after cause: Cause) -> Int64 {
    guard cause.kind != .resolvedBy, let free = table.end(of: cause),
      let due = due(atEndOf: node)
    else { return 0 }
    return max(free.subtractingClamped(due), 0)
  }

  /// When a node would have ended, had nobody held its lane.
  private func due(atEndOf node: Int) -> Int64? {
    guard let wait = table.lastWait(of: node) else { return lastEnd(in: node) }
    // What it is to do at last waits behind what it does itself.
    return max(wait.from, ownPark(beforeEndOf: node, wait) ?? wait.from)
  }

  /// Since when a node's own thread had stood parked on the lane that its end waited for, until it got that.
  private func ownPark(beforeEndOf node: Int, _ wait: LaneWaits.Wait) -> Int64? {
    let turn = LaneHolders.Turn(
      node: node, lane: wait.lane, time: wait.to, position: wait.position, ready: wait.from)
    guard let park = holders.park(before: turn), park.node == node else { return nil }
    return park.from
  }

  func causesOfEnds() -> [Int: Cause] {
    var ends: [Int: Cause] = [:]
    let deciders = Deciders(table, lastLeaves, nesting, latency)
    for (index, node) in table.nodes.enumerated() {
      guard node.outcome != .success, let decider = deciders.decider(of: index) else { continue }
      // What was called off may tell of a failure that it had seen before.
      let isByPattern = node.isEndedByTimer && nesting.isPart(index, of: decider)
      guard node.outcome == .cancelled || isByPattern else { continue }
      ends[index] = Cause(
        kind: .resolvedBy, before: .end, leaf: decider, source: decider, waiter: index)
    }
    // A pattern whose last part was called off from outside was so, too, though it may tell of a failure before.
    for index in table.nodes.indices where ends[index] == nil {
      guard let leaf = lastLeaves.all[index], leaf != index, let cause = ends[leaf],
        !nesting.isPart(cause.leaf, of: index)
      else { continue }
      ends[index] = Cause(
        kind: .resolvedBy, before: .end, leaf: cause.leaf, source: cause.source, waiter: index)
    }
    // Of what went on when it was cut off that counts, and not its end.
    for (pattern, holder) in lastLeaves.holders
    where ends[pattern] == nil && !table.nodes[pattern].goesOn {
      ends[pattern] = Cause(
        kind: .queue, before: .end, leaf: holder, source: holder, waiter: pattern)
    }
    for index in table.nodes.indices where ends[index] == nil {
      guard let cause = holder(beforeEndOf: index) else { continue }
      if !nesting.isPart(cause.leaf, of: index) || !waitsForItself(index) {
        ends[index] = cause
      }
    }
    return ends
  }

  /// Whether what a timer of its pattern ended had a job of its own or of a part wait for a lane, and not that timer.
  private func waitsForItself(_ index: Int) -> Bool {
    let node = table.nodes[index]
    guard node.isEndedByTimer, node.outcome == .cancelled, !node.goesOn, let wait = node.endWait
    else { return false }
    return nesting.isPart(table.laneWaits.all[wait].node, of: index)
  }

  /// When the last part of a pattern ended that did no later than it, of those that were not called off.
  private func lastEnd(in pattern: Int) -> Int64? {
    var last: Int64?
    var part = table.nodes[pattern].firstChild
    while let index = part {
      let node = table.nodes[index]
      if let finished = node.finished, !isCalledOff(index),
        node.stopPosition <= table.nodes[pattern].stopPosition
      {
        last = max(last ?? finished, finished)
      }
      part = node.nextSibling
    }
    return last
  }

  private func holder(beforeEndOf node: Int) -> Cause? {
    guard let wait = table.lastWait(of: node) else { return nil }
    let turn = LaneHolders.Turn(
      node: node, lane: wait.lane, time: wait.to, position: wait.position, ready: wait.from)
    var cause = holder(before: turn, after: nil)
    cause?.before = .end
    return cause
  }
}
