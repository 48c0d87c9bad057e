/// Delays that patterns make with timers.
extension SpanTable {
  /// The times in which a timer delayed a part of a pattern, or the end of a pattern after its last part.
  ///
  /// - Complexity: O(n) in the number of nodes.
  var delays: [LaneInterval] {
    var delays: [LaneInterval] = []
    guard moments.hasFiredTimers else { return delays }
    for node in nodes.indices {
      if let delay = delay(ofStart: node) { delays.append(delay) }
      if let delay = delay(ofEnd: node) { delays.append(delay) }
    }
    return delays
  }

  /// The time in which a timer of the pattern delayed the start of a node.
  func delay(ofStart node: Int) -> LaneInterval? {
    guard let start = moments.start(of: node).map({ moments[$0] }),
      let fired = moments.inputs(of: start).first(where: { $0.kind == .timer })
    else { return nil }
    return interval(of: node, until: moments[fired.moment])
  }

  /// The time in which a timer delayed the end of a pattern after its last part.
  func delay(ofEnd node: Int) -> LaneInterval? {
    guard !nodes[node].isLeaf, !nodes[node].hasTimedOut,
      let end = moments.finish(of: node).map({ moments[$0] }), end.cause == .timer,
      let fired = end.binding.map({ moments[$0.moment] }),
      fired.binding?.kind == .end
    else { return nil }
    return interval(of: node, until: fired)
  }

  /// The time from the moment that set a timer until it fired. Nil if that took no time.
  private func interval(of node: Int, until fired: Moments.Moment) -> LaneInterval? {
    guard fired.isByTimer, let set = fired.binding.map({ moments[$0.moment].time }),
      set < fired.time, let lane = startLane(of: node)
    else { return nil }
    return LaneInterval(node: node, lane: lane, from: set, to: fired.time)
  }
}
