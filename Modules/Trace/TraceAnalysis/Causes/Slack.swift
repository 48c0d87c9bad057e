/// The slack of each step: how much later it could have ended without delaying the end of the run.
///
/// It is computed backwards from the end of the run along the recorded causes, by the critical path method (Kelley,
/// Walker: “Critical-path planning and scheduling”, 1959, doi:10.1145/1460299.1460318). Each moment sets a limit for
/// each earlier moment that it waited for: its own slack, plus the `room`. The `room` is how much later the earlier
/// moment could have come without delaying the later one. The slack of the earlier moment is the smallest of these
/// limits. The time between a moment and its cause is treated as constant. So is the order in which steps get permits
/// and lanes.
struct Slack {
  /// The slack of each node. Nil if the node was cancelled or did not finish, or if the run did not finish.
  let ofNodes: [Int64?]

  /// - Complexity: O(n) in the number of events.
  init(_ table: SpanTable) {
    let moments = table.moments
    let end = table.lastMoment.map { moments[$0].time } ?? 0
    var slack = moments.all.map { moment in
      moment.kind == .finish ? max(end.subtractingClamped(moment.time), 0) : Int64.max
    }
    for index in moments.all.indices.reversed() where slack[index] != .max {
      for input in moments.inputs(of: moments[index]) {
        slack[input.moment] = min(slack[input.moment], slack[index].addingClamped(input.room))
      }
    }
    ofNodes = table.nodes.indices.map { index in
      guard table.nodes[index].start != nil, table.nodes[index].outcome != .cancelled else {
        return nil
      }
      return moments.ofFinish[index].map { slack[$0] }
    }
  }
}
