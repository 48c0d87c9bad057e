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

  /// What `mark` tells, which says that a timer has cut a node off, though it may go on. The first one counts.
  func timeout(of node: Int, at mark: TraceEvent, _ position: Int) -> Cut? {
    guard nodes[node].finished == nil, nodes[node].timeout == nil else {
      return nodes[node].timeout
    }
    return Cut(
      time: mark.time.nanoseconds, position: position,
      wait: mark.detail.isEmpty ? nil : laneWaits.last(on: mark.lane))
  }

  /// Something starts because of a node: if that has not ended, a timer has cut it off, maybe before it had started.
  func cut(of node: Int, at edge: TraceEvent, _ position: Int) -> Cut? {
    guard nodes[node].finished == nil, nodes[node].cut == nil else { return nodes[node].cut }
    return Cut(
      time: edge.time.nanoseconds, position: position, wait: nodes[node].timeout?.wait)
  }

  /// Whether a node finishes by its own code, or with its last part that did, though a timer had cut it off.
  func isByItself(_ finish: TraceEvent, of node: Int) -> Bool {
    guard let part = nodes[node].lastEnded, let end = nodes[part].finished else {
      return finish.ending.contains(.byItself)
    }
    let limit = latency.handOverLimit(beside: nodes[part].duration ?? 0)
    let isByPart = finish.time.nanoseconds.subtractingClamped(end) <= limit
    return isByPart && nodes[part].endsByItself && nodes[part].cut != nil
  }

  /// Of a node that has finished, when it was let go of before that, or in that moment: because of something that started,
  /// or with the pattern that it is a part of, or since that has not waited for it, or when its timer went off.
  /// Nil for what no timer has cut off, and for what told of its end before its pattern did.
  func settledCut(of index: Int) -> Cut? {
    let node = nodes[index]
    guard let finished = node.finished else { return nil }
    let limit = latency.handOverLimit(beside: node.duration ?? 0)
    func settled(_ cut: Cut) -> Cut {
      var cut = cut
      cut.isOutlasted = finished.subtractingClamped(cut.time) > limit
      return cut
    }
    let timeout = node.endsByItself ? timeout(around: index).map(settled) : nil
    if node.outcome == .success {
      if let timeout, timeout.isOutlasted { return timeout }
      // A timer that was late may go off in the moment in which the node ends, and be the first to tell.
      return node.cut?.time == finished ? node.cut : nil
    }
    guard node.isEndedByTimer else { return nil }
    let cut = (node.cut ?? cut(around: index)).map(settled)
    guard let timeout, timeout.isOutlasted || timeout.wait != nil else { return cut }
    // Of one moment, that counts in which whoever comes after it was told.
    if let cut, cut.time.subtractingClamped(timeout.time) <= limit { return cut }
    return timeout
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

  /// When the timer went off that cut a node off, or the innermost pattern around it that one did, since the node was
  /// asked for.
  private func timeout(around node: Int) -> Cut? {
    var step: Int? = node
    for _ in 0..<Self.mostLevels {
      guard let index = step else { return nil }
      if let timeout = nodes[index].timeout {
        return timeout.position > nodes[node].askPosition ? timeout : nil
      }
      step = nodes[index].parent
    }
    return nil
  }

  /// How many patterns around one are looked at.
  private static let mostLevels = 64
}
