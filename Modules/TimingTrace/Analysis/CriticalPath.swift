internal import AsyncPatterns

/// The chain of leaf steps that a run's makespan is made of; of a pattern that a timer ended, itself.
///
/// From the last finisher it walks back, each time to what the step had to wait for last (see `Causes`): before its end,
/// where that waited for its lane; for who woke it, where it stood parked; or else before its start. Where a step waited
/// for nothing itself, its pattern may have.
struct CriticalPath {
  let causes: Causes
  private let table: SpanTable
  private let wakes: Wakes
  /// Leaves, and what timers ended, in the order in which they finished.
  private let finishers: [Int]

  /// - Parameter clock: by which the events have their times.
  init(_ table: SpanTable, _ clock: ClockKind) {
    self.table = table
    wakes = Wakes(table)
    finishers = table.nodes.indices
      .filter {
        table.nodes[$0].isOnPaths && !table.isRun($0) && table.nodes[$0].duration != nil
      }
      .sorted { table.nodes[$0].stopPosition < table.nodes[$1].stopPosition }
    causes = Causes(table, wakes, finishers: finishers, Latency(clock: clock))
  }

  /// A leaf on the path, and how it came to its turn.
  struct Turn {
    let leaf: Int
    /// Whether what came after it waited only until a timer cut it off.
    let isCut: Bool
    /// Whether that timer, set when it was asked for, is what its time was up by.
    let isTimed: Bool
    /// What it had to wait for last.
    let cause: Cause?
  }

  /// The leaves on the path, the first one first.
  ///
  /// - Complexity: O(n log n) in the number of steps and edges.
  func turns() -> [Turn] {
    guard var leaf = lastFinisher else { return [] }
    var path: [Turn] = []
    var visited: Set<Int> = [leaf]
    var isCut = false
    while true {
      let request = isCut || !table.nodes[leaf].goesOn ? causes.request(of: leaf) : nil
      let cause: Cause? =
        switch request {
        case .after(let cause): cause
        case .withPattern: causeOfStart(of: table.nodes[leaf].parent)
        case nil: cause(of: leaf, isCut: isCut, butNone: visited)
        }
      // What was cut off before it had started is passed by: what came after it waited for a timer.
      if table.nodes[leaf].started != nil {
        path.append(Turn(leaf: leaf, isCut: isCut, isTimed: request != nil, cause: cause))
      }
      guard let cause, visited.insert(cause.leaf).inserted else { return path.reversed() }
      (leaf, isCut) = (cause.leaf, cause.isCut)
    }
  }

  /// The leaf that ended the run. One that was called off ended because of who resolved a pattern around it, or else
  /// of whoever finished at that moment. What went on for longer could not be stopped, and ended the run itself.
  var lastFinisher: Int? {
    guard let last = finishers.last else { return nil }
    let node = table.nodes[last]
    guard node.outcome == .cancelled || causes.isCalledOff(last), !node.goesOn,
      let finished = node.finished, let duration = node.duration
    else { return last }
    if let ender = causes.ender(of: last), !table.isRun(ender) { return ender }
    for other in finishers.reversed() {
      guard let end = table.nodes[other].finished,
        finished.subtractingClamped(end) <= causes.latency.limit(beside: duration)
      else { break }
      if table.nodes[other].outcome != .cancelled { return other }
    }
    return last
  }

  /// What a leaf had to wait for last before its end: itself, or a pattern that it is a part of.
  ///
  /// - Parameters:
  ///   - isCut: whether what counts is not its end, but when a timer cut it off.
  ///   - known: what is on the path already: two may have ended each other, as a pattern and its part do.
  /// - Complexity: O(log n) for each pattern around it.
  private func cause(of leaf: Int, isCut: Bool, butNone known: Set<Int>) -> Cause? {
    if isCut || !table.nodes[leaf].goesOn, let cause = causes.end(of: leaf),
      !table.isRun(cause.leaf), !known.contains(cause.leaf)
    {
      return cause
    }
    let wake = wakes.last(of: leaf, before: table.nodes[leaf].endPosition)
    if var waker = wake.flatMap(causes.cause), !known.contains(waker.leaf),
      !(causes.isCalledOff(waker.leaf) && causes.nesting.isPart(waker.leaf, of: leaf))
    {
      waker.before = .end
      return waker
    }
    return causeOfStart(of: leaf)
  }

  /// What a node had to wait for last before its start: itself, or a pattern that it is a part of.
  ///
  /// - Complexity: O(log n) for each pattern around it.
  private func causeOfStart(of node: Int?) -> Cause? {
    var node = node
    while let current = node {
      if let cause = causes.last(of: current) { return cause }
      node = table.nodes[current].parent
    }
    return nil
  }
}

extension SpanTable {
  /// When its time began to count: with its start, or where a timer ended it, when that was set.
  func begin(of turn: CriticalPath.Turn, after last: Int64) -> Int64? {
    let node = nodes[turn.leaf]
    return node.started.map { turn.isTimed ? min($0, max(node.submitted, last)) : $0 }
  }

  func end(of turn: CriticalPath.Turn) -> Int64? {
    turn.isCut ? nodes[turn.leaf].cut?.time : nodes[turn.leaf].finished
  }

  /// Whether it is the run's own step and has parts: none of the path, though a timer of it may have ended the run.
  func isRun(_ node: Int) -> Bool { nodes[node].parent == nil && !nodes[node].isLeaf }
}

extension SpanTable.Node {
  /// Whether a path may have it: a leaf, or what a timer ended.
  var isOnPaths: Bool { isLeaf || endsByTimer }

  var duration: Int64? {
    guard let started, let finished else { return nil }
    return finished.subtractingClamped(started)
  }
}
