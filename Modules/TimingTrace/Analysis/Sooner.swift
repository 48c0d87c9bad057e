internal import AsyncPatterns

/// How much sooner a run would end if some of its steps took half their time.
///
/// Forwards through the run, as the critical path method has it (see `Slack`): a node starts as much sooner as
/// the last of what it waited for ends sooner, and a pattern ends with the last of its parts, unless a timer of its own
/// ends it. What a timer ended in time does so as much sooner as it was asked for. What waited for its lane to end does
/// so no sooner than whoever held that. The time between an end and what it let start counts as if it always took that
/// long, and every turn as if it stayed the same.
struct Sooner {
  fileprivate let table: SpanTable
  fileprivate let causes: Causes
  fileprivate let followers: Followers
  fileprivate let moments: Moments
  /// When the leaf finished that ended the run.
  fileprivate let end: Int64

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
    var walk = SoonerWalk(self, halved)
    walk.walk()
    return max(walk.total ?? 0, 0)
  }
}

/// The way forwards through a run, on which each moment of a node comes as much sooner as those before it let it.
private struct SoonerWalk {
  private let run: Sooner
  private let halved: Set<Int>
  // By how much what a node waits for, or its last part, ends sooner; nil where nothing does.
  private var atStart: [Int64?]
  private var atTimer: [Int64?]
  private var atTurn: [Int64?]
  private var atEnd: [Int64?]
  /// By how much the run ends sooner, as far as the way has led.
  private(set) var total: Int64?

  init(_ run: Sooner, _ halved: Set<Int>) {
    self.run = run
    self.halved = halved
    atStart = Array(repeating: nil, count: run.table.nodes.count)
    (atTimer, atTurn, atEnd) = (atStart, atStart, atStart)
  }

  mutating func walk() {
    for moment in run.moments.all {
      switch moment.kind {
      case .start: passStart(of: moment.node)
      case .cut: passCut(of: moment.node)
      case .end: passEnd(of: moment.node)
      }
    }
  }

  private mutating func passStart(of index: Int) {
    guard atStart[index] == nil else { return }
    atStart[index] = run.table.nodes[index].parent.flatMap { atStart[$0] } ?? 0
  }

  private mutating func passCut(of index: Int) {
    let node = run.table.nodes[index]
    guard let cut = node.cut?.time else { return }
    let own = ownTime(of: index, until: cut, run.table.lastWait(of: index))
    let sooner = afterTurn(of: index, begin(of: index).addingClamped(own))
    if let parent = node.parent, run.causes.isLastCut(index, of: parent) {
      Self.hold(&atEnd[parent], to: sooner)
    }
    tellFollowers(of: index, cut: true, sooner)
  }

  private mutating func passEnd(of index: Int) {
    let node = run.table.nodes[index]
    guard let finished = node.finished else { return }
    if run.causes.isCalledOff(index) {
      return tellFollowers(of: index, cut: false, atEnd[index] ?? 0)
    }
    let own = ownTime(of: index, until: finished, run.table.endWait(of: index))
    // What goes on when it is cut off ends by itself.
    let begin = atEnd[index] ?? (node.goesOn ? atStart[index] ?? 0 : self.begin(of: index))
    var sooner = begin.addingClamped(own)
    if !node.goesOn { sooner = afterTurn(of: index, sooner) }
    let late = max(run.end.subtractingClamped(finished), 0)
    Self.hold(&total, to: late.addingClamped(sooner))
    endPart(index, at: finished, sooner)
    tellFollowers(of: index, cut: false, sooner)
  }

  /// By how much the time begins to count sooner that a node took: with its start, or where a timer ended it that was not
  /// late, when it was asked for.
  private func begin(of index: Int) -> Int64 {
    if run.causes.isCalledOff(index) { return 0 }
    let begin =
      switch run.causes.request(of: index) {
      case nil: atStart[index]
      case .after: atTimer[index]
      case .withPattern: run.table.nodes[index].parent.flatMap { atStart[$0] }
      }
    return begin ?? 0
  }

  /// Half of what a node took until then, without what it waited for its lane at last, if that is one to be halved.
  private func ownTime(of index: Int, until end: Int64, _ wait: LaneWaits.Wait?) -> Int64 {
    guard halved.contains(index), !run.causes.isCalledOff(index),
      let begun = begun(index)
    else { return 0 }
    return max(end.subtractingClamped(begun).subtractingClamped(wait?.length ?? 0), 0) / 2
  }

  /// When its time began to count.
  private func begun(_ index: Int) -> Int64? {
    let node = run.table.nodes[index]
    switch run.causes.request(of: index) {
    case nil: return node.started
    case .withPattern: return node.submitted
    case .after(let cause): return max(node.submitted, run.table.end(of: cause) ?? node.submitted)
    }
  }

  /// No sooner than whoever held the lane that the end came on.
  private func afterTurn(of index: Int, _ sooner: Int64) -> Int64 {
    guard !run.causes.isCalledOff(index), run.causes.end(of: index) != nil else { return sooner }
    return min(sooner.addingClamped(run.causes.endSlack(of: index)), atTurn[index] ?? 0)
  }

  private mutating func endPart(_ index: Int, at finished: Int64, _ sooner: Int64) {
    let nodes = run.table.nodes
    guard let parent = nodes[index].parent, nodes[index].stopPosition <= nodes[parent].stopPosition,
      !nodes[parent].endsByTimer, run.causes.awaits(index, in: parent)
    else { return }
    let last = run.moments.lastPart[parent] ?? finished
    let before = max(last.subtractingClamped(finished), 0)
    Self.hold(&atEnd[parent], to: before.addingClamped(sooner))
  }

  private mutating func tellFollowers(of index: Int, cut: Bool, _ sooner: Int64) {
    run.followers.forEach(of: index) { follower in
      guard follower.isOfCut == cut else { return }
      let free = follower.before.addingClamped(sooner)
      switch follower.moment {
      case .start: Self.hold(&atStart[follower.node], to: free)
      case .timer: Self.hold(&atTimer[follower.node], to: free)
      case .turnToEnd: Self.hold(&atTurn[follower.node], to: free)
      case .end: Self.hold(&atEnd[follower.node], to: free)
      }
    }
  }

  private static func hold(_ known: inout Int64?, to sooner: Int64) {
    known = min(known ?? sooner, sooner)
  }
}
