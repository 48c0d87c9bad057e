internal import AsyncPatterns

/// What timers cut off.
extension SpanTable {
  /// When what a timer has cut off was let go of.
  struct Cut {
    let time: Int64
    /// Where among all events that was.
    let position: Int
    /// Which of the waits for lanes the timer went off after.
    let wait: Int?
    /// Whether the node went on for longer than it takes to be told.
    var isOutlasted = false
  }

  /// Something starts because of a node: if that has not ended, a timer has cut it off, maybe before it had started.
  func cut(of node: Int, at edge: TraceEvent, _ position: Int) -> Cut? {
    guard nodes[node].finished == nil, nodes[node].cut == nil else { return nodes[node].cut }
    let time = edge.time.nanoseconds
    let wait = nodes[node].parent.flatMap { laneWaits.last(of: $0) }
    let isLate = wait.map { laneWaits.all[$0].to == time } ?? false
    return Cut(time: time, position: position, wait: isLate ? wait : nil)
  }

  /// Whether a node finishes by its own code, or with its last part that did, though a timer which was late had cut it off.
  func isAfterLateTimer(_ finish: TraceEvent, of node: Int) -> Bool {
    guard let part = nodes[node].lastEnded, let end = nodes[part].finished else {
      return finish.ending.contains(.afterLateTimer)
    }
    let limit = latency.handOverLimit(beside: nodes[part].duration ?? 0)
    let isByPart = finish.time.nanoseconds.subtractingClamped(end) <= limit
    return isByPart && nodes[part].endsAfterLateTimer
  }

  /// Of a node that has finished, when it was let go of before that, or in that moment: because of something that started,
  /// or with the pattern that it is a part of, or since that has not waited for it, or when a timer that was late went off.
  /// Nil for what no timer has cut off, and for what told of its end before its pattern did.
  func settledCut(of index: Int) -> Cut? {
    let node = nodes[index]
    guard let finished = node.finished else { return nil }
    // A timer that was late may go off in the moment in which the node ends, and be the first to tell.
    if node.outcome == .success { return node.cut?.time == finished ? node.cut : nil }
    guard node.isEndedByTimer else { return nil }
    guard var cut = node.cut ?? cut(around: index) ?? lateCut(of: index) else { return nil }
    let limit = latency.handOverLimit(beside: node.duration ?? 0)
    cut.isOutlasted = finished.subtractingClamped(cut.time) > limit
    return cut
  }

  /// When the innermost pattern around it ended that has, or was cut off.
  private func cut(around node: Int) -> Cut? {
    var pattern = nodes[node].parent
    for _ in 0..<Self.mostLevels {
      guard let index = pattern else { return nil }
      if let cut = nodes[index].cut { return cut }
      if let end = nodes[index].finished {
        return Cut(time: end, position: nodes[index].finishPosition, wait: nodes[index].endWait)
      }
      pattern = nodes[index].parent
    }
    return nil
  }

  /// When a timer that was late has cut a node off that went on: that of the innermost pattern around it which has told
  /// of one since the node was asked for.
  private func lateCut(of node: Int) -> Cut? {
    guard nodes[node].endsAfterLateTimer else { return nil }
    if let part = nodes[node].lastEnded { return nodes[part].cut }
    var pattern = nodes[node].parent
    for _ in 0..<Self.mostLevels {
      guard let index = pattern else { return nil }
      if let last = laneWaits.last(of: index) {
        let wait = laneWaits.all[last]
        if wait.position > nodes[node].askPosition {
          return Cut(time: wait.to, position: wait.position, wait: last)
        }
      }
      pattern = nodes[index].parent
    }
    return nil
  }

  /// How many patterns around one are looked at.
  private static let mostLevels = 64
}
