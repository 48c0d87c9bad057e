internal import AsyncPatterns

/// How much sooner a run would end if some of its steps took half their time.
///
/// Forwards through the run, as the critical path method has it (see `Slack`): a node starts as much sooner as
/// the last of what it waited for ends sooner, and a pattern ends with the last of its parts, unless a timer of its own
/// ends it. What waited for its lane to end does so no sooner than whoever held that. The time between
/// an end and what it let start counts as if it always took that long, and every turn as if it stayed the same.
struct Sooner {
  private let table: SpanTable
  private let causes: Causes
  private let followers: Followers
  /// What happened at each event: the start of a node, or its end.
  private let slots: [Int32]
  private let lastPart: [Int64?]
  /// When the leaf finished that ended the run.
  private let end: Int64

  /// - Parameter end: when the run ended, if no leaf tells.
  /// - Complexity: O(n log n) in the number of events.
  init(_ table: SpanTable, _ path: CriticalPath, eventCount: Int, end: Int64) {
    self.table = table
    self.end = path.lastFinisher.flatMap { table.nodes[$0].finished } ?? end
    causes = path.causes
    followers = Followers(table, path)
    (slots, lastPart) = table.moments(path.causes, eventCount: eventCount)
  }

  /// By how much the run would end sooner.
  ///
  /// - Parameter halved: nodes of steps that a path may have.
  /// - Complexity: O(n) in the number of events.
  func gain(halving halved: Set<Int>) -> Int64 {
    let nodes = table.nodes
    /// By how much what a node waits for, or its last part, ends sooner; nil where nothing does.
    var atStart = [Int64?](repeating: nil, count: nodes.count)
    var atEnd = atStart
    var atTurn = atStart
    var total: Int64?
    for slot in slots where slot >= 0 {
      let index = Int(slot) / 2
      let node = nodes[index]
      if slot % 2 == 0 {
        if atStart[index] == nil { atStart[index] = node.parent.flatMap { atStart[$0] } ?? 0 }
        continue
      }
      guard let finished = node.finished else { continue }
      let isCalledOff = causes.isCalledOff(index)
      var sooner = atEnd[index] ?? (isCalledOff ? 0 : atStart[index]) ?? 0
      if halved.contains(index), !isCalledOff {
        let own = (node.duration ?? 0).subtractingClamped(table.endWait(of: index)?.length ?? 0)
        sooner = sooner.addingClamped(max(own, 0) / 2)
      }
      if !isCalledOff, causes.end(of: index) != nil {
        sooner = min(sooner.addingClamped(causes.endSlack(of: index)), atTurn[index] ?? 0)
      }
      if !isCalledOff {
        let late = max(end.subtractingClamped(finished), 0).addingClamped(sooner)
        total = min(total ?? late, late)
        if let parent = node.parent, node.endPosition < nodes[parent].endPosition,
          !nodes[parent].isEndedByTimer
        {
          let before = max((lastPart[parent] ?? finished).subtractingClamped(finished), 0)
          let part = before.addingClamped(sooner)
          atEnd[parent] = min(atEnd[parent] ?? part, part)
        }
      }
      followers.forEach(of: index) { follower, before in
        let free = before.addingClamped(sooner)
        let node = follower.node
        switch follower.moment {
        case .start: atStart[node] = min(atStart[node] ?? free, free)
        case .end: atEnd[node] = min(atEnd[node] ?? free, free)
        case .turnToEnd: atTurn[node] = min(atTurn[node] ?? free, free)
        }
      }
    }
    return max(total ?? 0, 0)
  }
}
