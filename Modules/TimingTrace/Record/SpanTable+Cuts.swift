internal import AsyncPatterns

/// What timers cut off.
extension SpanTable {
  /// When a timer went off that was to cut something off.
  struct Timeout {
    let time: Int64
    /// Where among all events that was.
    let position: Int
    /// Which of the waits for lanes the timer went off after.
    let wait: Int?
  }

  /// When what a timer has cut off was let go of.
  struct Cut {
    var time: Int64
    /// Where among all events that was.
    let position: Int
    /// Which of the waits for lanes the timer went off after.
    var wait: Int?
    /// Whether the node went on for longer than it takes to be told.
    var isOutlasted = false
    /// Whether nothing but the timer tells of it.
    var isByTimeoutAlone = false

    init(time: Int64, position: Int, wait: Int?) {
      (self.time, self.position, self.wait) = (time, position, wait)
    }

    init(_ timeout: Timeout) {
      self.init(time: timeout.time, position: timeout.position, wait: timeout.wait)
      isByTimeoutAlone = true
    }

    /// With the time of the timer.
    func at(_ timeout: Timeout) -> Cut {
      var cut = self
      (cut.time, cut.wait) = (timeout.time, timeout.wait)
      return cut
    }
  }

  /// Something starts because of a node: if that has not ended, a timer has cut it off, maybe before it had started.
  func cut(of node: Int, at edge: TraceEvent, _ position: Int) -> Cut? {
    guard nodes[node].finished == nil, nodes[node].cut == nil else { return nodes[node].cut }
    let cut = Cut(time: edge.time.nanoseconds, position: position, wait: nil)
    return nodes[node].timeout.map(cut.at) ?? cut
  }

  /// Whether a node finishes by its own code, or with its last part that did, though a timer had cut it off.
  func isByItself(_ finish: TraceEvent, of node: Int) -> Bool {
    guard let part = nodes[node].lastEnded, let end = nodes[part].finished else {
      return finish.ending.contains(.byItself)
    }
    let limit = latency.handOverLimit(beside: nodes[part].duration ?? 0)
    let isByPart = finish.time.nanoseconds.subtractingClamped(end) <= limit
    let isPartCutOff = nodes[part].cut != nil || nodes[part].wentOnSince != nil
    return isByPart && nodes[part].endsByItself && isPartCutOff
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
    let timeout = node.endsByItself ? timeout(around: index) : nil
    let byTimeout = timeout.map { settled(Cut($0)) }
    if node.outcome == .success {
      if let byTimeout, byTimeout.isOutlasted { return byTimeout }
      // A timer that was late may go off in the moment in which the node ends, and be the first to tell.
      return node.cut?.time == finished ? node.cut : nil
    }
    guard node.tellsOfTimer else { return nil }
    let told = (node.cut ?? cut(around: index)).map(settled)
    guard let timeout, let byTimeout, byTimeout.isOutlasted || timeout.wait != nil else {
      return told
    }
    guard let told else { return byTimeout }
    // Of one moment, that counts in which whoever comes after it was told.
    let delay = told.time.subtractingClamped(timeout.time)
    if delay < 0 { return told }
    return delay <= limit ? settled(told.at(timeout)) : byTimeout
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
  /// asked for. Where several were cut off together, that may be told of one of them alone.
  private func timeout(around node: Int) -> Timeout? {
    let asked = nodes[node].askPosition
    var ofOther: Timeout?
    var step: Int? = node
    for _ in 0..<Self.mostLevels {
      guard let index = step else { break }
      if let timeout = nodes[index].timeout, timeout.position > asked { return timeout }
      step = nodes[index].parent
      let known = step.flatMap { nodes[$0].partTimeout }
      if ofOther == nil, let known, known.position > asked { ofOther = known }
    }
    return ofOther
  }

  /// How many patterns around one are looked at.
  private static let mostLevels = 64
}
