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

  /// For how long a node's end waited for who held its lane: so much later could it have been due.
  ///
  /// - Complexity: O(1).
  func endSlack(of node: Int) -> Int64 {
    guard let cause = ends[node], cause.kind != .resolvedBy,
      let free = table.nodes[cause.leaf].finished,
      let due = table.endWait(of: node)?.from ?? lastEnd(in: node)
    else { return 0 }
    return max(free.subtractingClamped(due), 0)
  }

  func causesOfEnds() -> [Int: Cause] {
    var ends: [Int: Cause] = [:]
    for (index, node) in table.nodes.enumerated() where node.outcome == .cancelled {
      ends[index] = decider(of: index).map {
        Cause(kind: .resolvedBy, before: .end, leaf: $0, source: $0, waiter: index)
      }
    }
    for (pattern, holder) in lastLeaves.holders where ends[pattern] == nil {
      ends[pattern] = Cause(
        kind: .queue, before: .end, leaf: holder, source: holder, waiter: pattern)
    }
    for wait in table.laneWaits.all where ends[wait.node] == nil {
      ends[wait.node] = holder(beforeEndOf: wait.node)
    }
    return ends
  }

  /// When the last part of a pattern ended that did no later than it.
  private func lastEnd(in pattern: Int) -> Int64? {
    var last: Int64?
    var part = table.nodes[pattern].firstChild
    while let index = part {
      let node = table.nodes[index]
      if let finished = node.finished, node.finishPosition < table.nodes[pattern].finishPosition {
        last = max(last ?? finished, finished)
      }
      part = node.nextSibling
    }
    return last
  }

  private func holder(beforeEndOf node: Int) -> Cause? {
    guard let wait = table.endWait(of: node) else { return nil }
    let turn = LaneHolders.Turn(
      node: node, lane: wait.lane, time: wait.to, position: wait.position, ready: wait.from)
    var cause = holder(before: turn, after: nil)
    cause?.before = .end
    return cause
  }

  /// Whose end called a node off: what resolved it from outside, or the innermost pattern around it that it did not end
  /// with, if that was when the node ended.
  ///
  /// - Complexity: O(d), d being how deep it is nested.
  private func decider(of node: Int) -> Int? {
    let nodes = table.nodes
    guard let finished = nodes[node].finished else { return nil }
    let limit = latency.callOffLimit(beside: nodes[node].duration ?? 0)
    let own = lastLeaves.all[node]
    var around: Int? = node
    while let pattern = around {
      around = nodes[pattern].parent
      guard let last = lastLeaves.all[pattern],
        nodes[last].outcome != .cancelled || nodes[last].isEndedByTimer,
        pattern == node ? !isPart(last, of: node) : last != own
      else { continue }
      guard let end = nodes[last].finished, abs(finished.subtractingClamped(end)) <= limit else {
        return nil
      }
      return last
    }
    return nil
  }

  /// Whether a node is that pattern, or part of it.
  private func isPart(_ node: Int, of pattern: Int) -> Bool {
    var around: Int? = node
    // Parts come after their pattern.
    while let current = around, current > pattern { around = table.nodes[current].parent }
    return around == pattern
  }
}
