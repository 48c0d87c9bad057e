/// The slack of each step: how much later it could have ended without delaying the end of the run.
///
/// It is computed backwards from the end of the run along the recorded causes, by the critical path method (Kelley,
/// Walker: “Critical-path planning and scheduling”, 1959, doi:10.1145/1460299.1460318). Each moment sets a limit for
/// each earlier moment that it waited for: its own slack, plus the `room`. The `room` is how much later the earlier
/// moment could have come without delaying the later one. The slack of the earlier moment is the smallest of these
/// limits. The time between a moment and its cause is treated as constant. So is the order in which steps get permits
/// and lanes.
struct Slack {
  /// The slack of each node. Nil if the node was cancelled or did not finish, or if the run did not finish. Also nil for
  /// an unstructured task if no other task was suspended until its end.
  let ofNodes: [Int64?]

  /// - Complexity: O(n) in the number of events.
  init(_ table: SpanTable) {
    let moments = table.moments
    let end = table.lastMoment.map { moments[$0].time } ?? 0
    var slack = moments.all.map { moment in
      moment.kind == .finish ? max(end.subtractingClamped(moment.time), 0) : Int64.max
    }
    for index in moments.all.indices.reversed() where slack[index] != .max {
      let moment = moments[index]
      for input in moments.inputs(of: moment) {
        let later = slack[index].addingClamped(moments.room(of: input, for: moment))
        slack[input.moment] = min(slack[input.moment], later)
      }
    }
    let awaited = Self.awaitedEnds(moments)
    ofNodes = table.nodes.indices.map { index in
      guard table.hasStarted(index), table.nodes[index].outcome != .cancelled,
        let finish = moments.finish(of: index)
      else { return nil }
      // An await of a task that has already ended is not recorded, so the slack of this task is not known.
      if table.isUnstructured(index), index != table.root, !awaited.contains(finish) { return nil }
      return slack[finish]
    }
  }

  /// The ends of nodes for which others are recorded to have waited.
  private static func awaitedEnds(_ moments: Moments) -> Set<Int> {
    var ends: Set<Int> = []
    for moment in moments.all {
      for input in moments.inputs(of: moment)
      where input.kind == .end && (moment.kind != .finish || input.isNamed) {
        ends.insert(input.moment)
      }
    }
    return ends
  }
}
