/// How much later each step could have ended without the end of the run.
///
/// From the end of the run backwards, as the critical path method has it (Kelley, Walker: “Critical-path
/// planning and scheduling”, 1959, doi:10.1145/1460299.1460318), along the recorded causes: a moment can come as much
/// later as everything that waited for it, and as much more as it came before the last thing that was waited for. The
/// time between a moment and its cause counts as constant, and so does the order in which steps get permits and lanes.
struct Slack {
  /// By node; nil for what was cancelled, did not finish, or is part of a run that did not.
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
