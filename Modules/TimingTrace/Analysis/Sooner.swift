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
  private let moments: Moments
  /// When the leaf finished that ended the run.
  private let end: Int64

  /// - Parameter end: when the run ended, if no leaf tells.
  /// - Complexity: O(n log n) in the number of events.
  init(_ table: SpanTable, _ path: CriticalPath, eventCount: Int, end: Int64) {
    self.table = table
    self.end = path.lastFinisher.flatMap { table.nodes[$0].finished } ?? end
    causes = path.causes
    followers = Followers(table, path)
    moments = Moments(table, causes, eventCount: eventCount)
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
    for moment in moments.all {
      let index = moment.node
      let node = nodes[index]
      if moment.kind == .start {
        if atStart[index] == nil { atStart[index] = node.parent.flatMap { atStart[$0] } ?? 0 }
        continue
      }
      guard let finished = node.finished else { continue }
      let isCalledOff = causes.isCalledOff(index)
      // What goes on when it is cut off ends by itself.
      let isOwnEnd = moment.kind == .end && node.goesOn
      var sooner =
        (moment.kind == .end ? atEnd[index] : nil) ?? (isCalledOff ? 0 : atStart[index]) ?? 0
      if halved.contains(index), !isCalledOff {
        sooner = sooner.addingClamped(ownTime(of: index, until: moment.kind) / 2)
      }
      if !isCalledOff, !isOwnEnd, causes.end(of: index) != nil {
        sooner = min(sooner.addingClamped(causes.endSlack(of: index)), atTurn[index] ?? 0)
      }
      if moment.kind == .end, !isCalledOff {
        let late = max(end.subtractingClamped(finished), 0).addingClamped(sooner)
        total = min(total ?? late, late)
        if let parent = node.parent, node.stopPosition <= nodes[parent].stopPosition,
          !nodes[parent].endsByTimer
        {
          let before = max((moments.lastPart[parent] ?? finished).subtractingClamped(finished), 0)
          let part = before.addingClamped(sooner)
          atEnd[parent] = min(atEnd[parent] ?? part, part)
        }
      }
      if moment.kind == .cut, let parent = node.parent, causes.isLast(index, of: parent) {
        atEnd[parent] = min(atEnd[parent] ?? sooner, sooner)
      }
      followers.forEach(of: index) { follower in
        guard follower.isOfCut == (moment.kind == .cut) else { return }
        let free = follower.before.addingClamped(sooner)
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

  /// How long a node took until then, without what it waited for its lane at last.
  private func ownTime(of index: Int, until moment: Moments.Moment.Kind) -> Int64 {
    let node = table.nodes[index]
    guard let started = node.started,
      let end = moment == .cut ? node.cut?.time : node.finished
    else { return 0 }
    let wait = moment == .cut ? table.lastWait(of: index) : table.endWait(of: index)
    return max(end.subtractingClamped(started).subtractingClamped(wait?.length ?? 0), 0)
  }
}
