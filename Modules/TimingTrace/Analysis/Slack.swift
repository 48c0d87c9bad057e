/// How much later each node could have ended without the end of the run.
///
/// From the end of the run backwards, as the critical path method has it (Kelley, Walker: “Critical-path
/// planning and scheduling”, 1959, doi:10.1145/1460299.1460318): a node has as much slack as what waited for its
/// end, and as much more as it ended before the last thing that waited for it. What waited is told by recorded
/// edges, by who woke whom, by who held its lane, and where nothing is recorded by whose end came last before a
/// start (see `Causes`). What a timer ended has as much slack at its start as at its end, and as much more as that then
/// waited for its lane; or, if the timer was in time, as much as at its end when it was asked for, however late it then
/// started. The time between an end and what it let start counts as if it always took that long, and so does that
/// between an end and when its follower was submitted.
struct Slack {
  /// By node; nil for what was called off, did not finish, or is part of a run that did not.
  let ofNodes: [Int64?]

  /// - Parameter end: when the run ended.
  /// - Complexity: O(n log n) in the number of events.
  init(_ table: SpanTable, _ path: CriticalPath, eventCount: Int, end: Int64) {
    var walk = SlackWalk(table, path, eventCount: eventCount, end: end)
    walk.walk()
    ofNodes = table.nodes.indices.map { index in
      let node = table.nodes[index]
      let isKnown = node.finished != nil && node.started != nil && node.outcome != .cancelled
      return isKnown && walk.atEnd[index] != .max ? walk.atEnd[index] : nil
    }
  }
}

/// The way backwards through a run, on which each moment of a node gets its slack from those after it.
private struct SlackWalk {
  private let table: SpanTable
  private let causes: Causes
  private let followers: Followers
  private let moments: Moments
  /// When the run ended.
  private let end: Int64
  /// By node, in nanoseconds; the largest number where nothing waited.
  private(set) var atEnd: [Int64]
  private var atCut: [Int64]
  private var atStart: [Int64]

  init(_ table: SpanTable, _ path: CriticalPath, eventCount: Int, end: Int64) {
    self.table = table
    self.end = end
    causes = path.causes
    followers = Followers(table, path)
    moments = Moments(table, causes, eventCount: eventCount)
    atEnd = Array(repeating: .max, count: table.nodes.count)
    (atCut, atStart) = (atEnd, atEnd)
  }

  mutating func walk() {
    for moment in moments.all.reversed() {
      let node = moment.node
      switch moment.kind {
      case .start: passStart(of: node)
      case .cut: atCut[node] = min(ofPattern(cutting: node), ofFollowers(of: node, cut: true))
      case .end: atEnd[node] = min(ofPattern(around: node), ofFollowers(of: node, cut: false))
      }
    }
  }

  private mutating func passStart(of index: Int) {
    let node = table.nodes[index]
    if let request = causes.request(of: index) {
      // Its timer was set then, whenever it started.
      passStart(of: node.parent, ofTimer(of: index), table.wait(for: request, of: index, causes))
    } else {
      atStart[index] = min(atStart[index], ofTimer(of: index))
    }
    if node.goesOn, node.started != nil, node.isOnPaths, !causes.isCalledOff(index) {
      atStart[index] = min(atStart[index], atEnd[index])
    }
    passStart(of: node.parent, atStart[index], table.ownWait(of: index, causes))
  }

  /// - Parameters:
  ///   - part: the slack of a part, when that started or was asked for.
  ///   - wait: for how long the part had waited by then for what is no part of the pattern; nil if for one that is.
  private mutating func passStart(of pattern: Int?, _ part: Int64, _ wait: Int64?) {
    guard let pattern, let wait else { return }
    atStart[pattern] = min(atStart[pattern], part.addingClamped(wait))
  }

  /// How much later the end of a node could have been due, or a timer could have cut it off.
  private func ofTimer(of index: Int) -> Int64 {
    let node = table.nodes[index]
    let late = causes.endSlack(of: index)
    if node.goesOn { return atCut[index].addingClamped(late) }
    // What was called off would have been whenever it had started.
    let isOwn = node.isOnPaths && !causes.isCalledOff(index)
    return isOwn ? atEnd[index].addingClamped(late) : .max
  }

  /// For the end of the run, and for that of the pattern around the node.
  private func ofPattern(around index: Int) -> Int64 {
    let node = table.nodes[index]
    // Who called it off waited for it no more, but its lane did.
    guard let finished = node.finished, !causes.isCalledOff(index) else { return .max }
    let slack = max(end.subtractingClamped(finished), 0)
    guard let parent = node.parent else { return slack }
    let pattern = table.nodes[parent]
    guard node.stopPosition <= pattern.stopPosition, pattern.finished != nil, !pattern.endsByTimer,
      causes.awaits(index, in: parent)
    else { return slack }
    let before = max((moments.lastPart[parent] ?? finished).subtractingClamped(finished), 0)
    let late = pattern.goesOn ? 0 : causes.endSlack(of: parent)
    return min(slack, atEnd[parent].addingClamped(before.addingClamped(late)))
  }

  /// For the pattern that ended when its timer cut the node off.
  private func ofPattern(cutting index: Int) -> Int64 {
    guard let parent = table.nodes[index].parent, causes.isLastCut(index, of: parent) else {
      return .max
    }
    return atEnd[parent]
  }

  private func ofFollowers(of index: Int, cut: Bool) -> Int64 {
    var slack = Int64.max
    followers.forEach(of: index) { follower in
      guard follower.isOfCut == cut else { return }
      let node = follower.node
      let later =
        switch follower.moment {
        case .start: atStart[node]
        case .end: atEnd[node]
        case .timer: ofTimer(of: node)
        case .turnToEnd: table.nodes[node].goesOn ? atCut[node] : atEnd[node]
        }
      slack = min(slack, later.addingClamped(follower.before))
    }
    return slack
  }
}

extension SpanTable {
  /// For how long a part waited for something outside of its pattern after that had started: the pattern could as
  /// well have started so much later. Nil where the part waited for another part.
  fileprivate func ownWait(of part: Int, _ causes: Causes) -> Int64? {
    guard let cause = causes.last(of: part) else { return 0 }
    return wait(for: cause, in: nodes[part].parent, causes)
  }

  /// As `ownWait`, until the part was asked for.
  fileprivate func wait(for request: Request, of part: Int, _ causes: Causes) -> Int64? {
    switch request {
    case .withPattern: 0
    case .after(let cause): wait(for: cause, in: nodes[part].parent, causes)
    }
  }

  private func wait(for cause: Cause, in pattern: Int?, _ causes: Causes) -> Int64? {
    guard let pattern, let end = end(of: cause), let started = nodes[pattern].started, end > started
    else { return 0 }
    return causes.nesting.isPart(cause.leaf, of: pattern) ? nil : end.subtractingClamped(started)
  }
}
