/// How spans ended.
extension SpanTable {
  /// How long the end of a node was delayed because a lane was not free: the lane of the node's own code, or of the
  /// timer that cancelled the node.
  package func lateness(of node: Int) -> Int64 {
    guard let last = resumption(ending: node), !last.precedesWork else { return 0 }
    let age = last.time.subtractingClamped(startTime(of: node) ?? last.time)
    return max(min(queued(of: last), age), 0)
  }

  /// Whether a timer ended a node: its own, or one of an enclosing pattern. A leaf's own timer does not count,
  /// since it is the step itself.
  func isEndedByTimer(_ node: Int) -> Bool {
    if isCancelledByTimer(node) { return timeoutBeforeEnd(node) == nil }
    guard let resumption = resumption(ending: node) else { return false }
    return resumption.isByTimer && !(nodes[node].isLeaf && resumption.node == node)
  }

  /// The resumption after which a node ended.
  private func resumption(ending node: Int) -> Moments.Moment? {
    let end = moments.finish(of: node).map { moments[$0] }
    let last = end?.binding.map { moments[$0.moment] }
    return last?.kind == .resume ? last : nil
  }

  /// When a timer of a pattern cancelled a node that then kept running.
  func timeoutBeforeEnd(_ node: Int) -> Int64? {
    timeOfTimeout(node).flatMap { keptRunning(node, since: $0) ? $0 : nil }
  }

  /// When a timer of a pattern cancelled a node that had started.
  func timeOfTimeout(_ node: Int) -> Int64? {
    guard let time = nodes[node].details?.cancelled?.at, isCancelledByTimer(node),
      let started = startTime(of: node), started < time
    else { return nil }
    return time
  }

  /// When a node that had started was first asked to stop before its end.
  func timeOfCancellation(_ node: Int) -> Int64? {
    guard hasStarted(node) else { return nil }
    let asked = moments.ofCancellation[node].map { moments[$0].time }
    guard let cancelled = nodes[node].details?.cancelled?.at else { return asked }
    return min(asked ?? cancelled, cancelled)
  }

  /// When a node timed out: a timer of a pattern cancelled it, or it is a pattern whose own timer made it fail.
  func timeout(of node: Int) -> Int64? {
    guard let finish = moments.finish(of: node).map({ moments[$0] }) else {
      guard let asked = moments.ofCancellation[node].map({ moments[$0] }),
        let binding = asked.binding, moments[binding.moment].isByTimer
      else { return nil }
      return asked.time
    }
    return nodes[node].hasTimedOut ? finish.time : timeOfTimeout(node)
  }

  /// When a node that had started was cancelled, if it kept running after that.
  func timeOfKeepingRunning(_ node: Int) -> Int64? {
    guard let cancelled = timeOfCancellation(node), let started = startTime(of: node),
      started <= cancelled
    else { return nil }
    guard let finished = finishTime(of: node) else { return cancelled }
    let isByOwnCode = nodes[node].outcome != .cancelled && keptRunning(node, since: cancelled)
    return isByOwnCode || finished.subtractingClamped(cancelled) >= grace ? cancelled : nil
  }

  /// How long a step may take to end after it was cancelled, or after its pattern ended. On the live clock, the system
  /// may delay a thread meanwhile.
  var grace: Int64 { clock == .virtual ? 1_000_000 : 20_000_000 }

  /// Whether a node that was cancelled ended later by its own code.
  func keptRunning(_ node: Int, since time: Int64) -> Bool {
    guard let end = moments.finish(of: node).map({ moments[$0] }) else { return false }
    return end.time > time && !endsByCancellation(end)
  }

  /// Whether a span ended because it was cancelled, or because one of its parts was.
  private func endsByCancellation(_ end: Moments.Moment) -> Bool {
    var end = end
    while end.cause == .end, let binding = end.binding {
      end = moments[binding.moment]
    }
    return end.cause == .cancellation
  }

  private func isCancelledByTimer(_ node: Int) -> Bool {
    // A task is cancelled by another span. The timers of that span are steps of it, not timeouts of the task.
    guard !nodes[node].isTask, let (by, time) = nodes[node].details?.cancelled,
      let canceller = by, let moment = moment(ofCancelling: node, by: canceller, until: time)
    else { return false }
    return moments[moment].isByTimer
  }

  /// The moment at which the run ended: the last end of a step that did not end because of a cancellation.
  var lastMoment: Int? {
    let ends = moments.all.indices.lazy.filter { moments[$0].kind == .finish }
    let last = ends.last { !isCancelled(moments[$0]) }
    guard let last, moments[last].cause == .timer, !nodes[moments[last].node].isLeaf,
      nodes[moments[last].node].parent == nil, delay(ofEnd: moments[last].node) == nil
    else { return last ?? ends.last }
    // The run's own step, ended by its timer, is not part of the path. The step that its timer cancelled is.
    return ends.last { $0 != last } ?? last
  }

  /// Whether a span ended because it, or its last part, was cancelled.
  private func isCancelled(_ end: Moments.Moment) -> Bool {
    end.cause == .cancellation || nodes[end.node].details?.canceller != nil
  }
}
