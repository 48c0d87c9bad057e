internal import AsyncPatterns

/// How nodes waited for lanes.
extension SpanTable {
  /// How the end of a node waited for its lane, if it did.
  func endWait(of node: Int) -> LaneWaits.Wait? { wait(of: node, at: nodes[node].endWait) }

  /// How its end waited for its lane, for whoever came after it; or how the timer did that cut it off, if it goes on.
  func lastWait(of node: Int) -> LaneWaits.Wait? {
    nodes[node].goesOn ? wait(of: node, at: nodes[node].cut?.wait) : endWait(of: node)
  }

  private func wait(of node: Int, at index: Int?) -> LaneWaits.Wait? {
    guard let index else { return nil }
    var wait = laneWaits.all[index]
    // That of its pattern may have begun before.
    wait.from = min(max(wait.from, nodes[node].started ?? nodes[node].submitted), wait.to)
    return wait
  }

  /// How a display waited for the end of a turn, or the pattern of another node last did for a lane before that started,
  /// however long before.
  func startWait(of node: Int) -> LaneWaits.Wait? {
    laneWaits.ofDisplay(node) ?? nodes[node].startWait.map { laneWaits.all[$0] }
  }

  /// The wait that an end comes after: its own, or that of the timer which cut it off, of the pattern around it or told by
  /// the code that ended it. Of those that were over together that of the timer.
  func lastWait(of node: Int, _ event: TraceEvent) -> Int? {
    let own = laneWaits.last(of: node)
    guard event.outcome != .success, event.ending.contains(.byTimer) else { return own }
    let around = nodes[node].parent.flatMap { laneWaits.last(of: $0) }
    let told = laneWaits.last(on: event.lane)
    return laneWaits.later(of: laneWaits.later(of: own, told), around)
  }
}
