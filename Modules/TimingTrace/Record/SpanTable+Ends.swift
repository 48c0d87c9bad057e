internal import AsyncPatterns

/// How spans ended.
extension SpanTable {
  /// For how long the end of a node was due before it came, since its lane was not free: that of its own code, or of
  /// the timer that cancelled it.
  func lateness(of node: Int) -> Int64 {
    guard let index = moments.ofFinish[node], let resumption = resumption(before: moments[index]),
      let started = nodes[node].started
    else { return 0 }
    let end = moments[index]
    let delay = end.time.subtractingClamped(resumption.time)
    guard delay <= (clock == .virtual ? 0 : 1_000_000) else { return 0 }
    return max(min(resumption.queued, resumption.time.subtractingClamped(started)), 0)
  }

  /// Whether a timer ended a node, its own or one of a pattern that it is a part of. The timer of a leaf is the step
  /// itself.
  func isEndedByTimer(_ node: Int) -> Bool {
    if isCancelledByTimer(node) { return cutOff(node) == nil }
    guard let index = moments.ofFinish[node], let resumption = resumption(before: moments[index])
    else { return false }
    return resumption.isByTimer && !(nodes[node].isLeaf && resumption.node == node)
  }

  /// The resumption that ended a node.
  private func resumption(before end: Moments.Moment) -> Moments.Moment? {
    guard let binding = moments.binding(of: end), moments[binding.moment].kind == .resume else {
      return nil
    }
    return moments[binding.moment]
  }

  /// When a timer of a pattern cancelled a node that then kept running.
  func cutOff(_ node: Int) -> Int64? {
    guard let time = nodes[node].cancelled?.at, isCancelledByTimer(node),
      let started = nodes[node].started, started < time
    else { return nil }
    return keptRunning(node, since: time) ? time : nil
  }

  /// Whether a node that was cancelled ended later. On the live clock another thread must be notified and must run.
  func keptRunning(_ node: Int, since time: Int64) -> Bool {
    guard let end = nodes[node].finished else { return false }
    return end.subtractingClamped(time) > (clock == .virtual ? 0 : 5_000_000)
  }

  private func isCancelledByTimer(_ node: Int) -> Bool {
    guard let (by, time) = nodes[node].cancelled, let canceller = by,
      let moment = moment(ofCancelling: node, by: canceller, until: time)
    else { return false }
    return moments[moment].isByTimer
  }

  /// The moment that the run ended with: the last end, without steps that ended because they were cancelled.
  var lastMoment: Int? {
    let ends = moments.all.indices.lazy.filter { moments[$0].kind == .finish }
    let last = ends.last { !(isCancelled(moments[$0]) && isPrompt(moments[$0])) }
    guard let last, moments[last].cause == .timer, !nodes[moments[last].node].isLeaf,
      nodes[moments[last].node].parent == nil
    else { return last ?? ends.last }
    // The run's own step, ended by its timer, is none of the path: what that cancelled is.
    return ends.last { $0 != last } ?? last
  }

  /// Whether a span ended because it, or its last part, was cancelled.
  private func isCancelled(_ end: Moments.Moment) -> Bool {
    end.cause == .cancellation || nodes[end.node].canceller != nil
  }

  /// Whether what was cancelled ended then: on the live clock another thread must be notified and must run.
  private func isPrompt(_ moment: Moments.Moment) -> Bool {
    guard let binding = moments.binding(of: moment) else { return true }
    let delay = moment.time.subtractingClamped(moments[binding.moment].time)
    return clock == .virtual ? delay == 0 : delay <= 5_000_000
  }
}
