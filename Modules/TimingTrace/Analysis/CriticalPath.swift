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
      .sorted { table.nodes[$0].endPosition < table.nodes[$1].endPosition }
    causes = Causes(table, wakes, finishers: finishers, Latency(clock: clock))
  }

  /// The leaves on the path, the first one first.
  ///
  /// - Complexity: O(n log n) in the number of steps and edges.
  func leaves() -> [Int] {
    guard var current = lastFinisher else { return [] }
    var path = [current]
    var visited: Set<Int> = [current]
    while let previous = predecessor(of: current), visited.insert(previous).inserted {
      path.append(previous)
      current = previous
    }
    return path.reversed()
  }

  /// The leaf that ended the run. One that was called off ended because of who resolved a pattern around it, or else
  /// of whoever finished at that moment. What went on for longer could not be stopped, and ended the run itself.
  var lastFinisher: Int? {
    guard let last = finishers.last else { return nil }
    let node = table.nodes[last]
    guard node.outcome == .cancelled, let finished = node.finished, let duration = node.duration
    else { return last }
    if let decider = causes.end(of: last)?.leaf, !table.isRun(decider) { return decider }
    for other in finishers.reversed() {
      guard let end = table.nodes[other].finished,
        finished.subtractingClamped(end) <= causes.latency.limit(beside: duration)
      else { break }
      if table.nodes[other].outcome != .cancelled { return other }
    }
    return last
  }

  private func predecessor(of leaf: Int) -> Int? { cause(of: leaf)?.leaf }

  /// What a leaf had to wait for last before its end: itself, or a pattern that it is a part of.
  ///
  /// - Complexity: O(log n) for each pattern around it.
  func cause(of leaf: Int) -> Cause? {
    if let cause = causes.end(of: leaf), !table.isRun(cause.leaf) { return cause }
    let wake = wakes.last(of: leaf, before: table.nodes[leaf].endPosition)
    if var waker = wake.flatMap(causes.cause), waker.leaf != leaf {
      waker.before = .end
      return waker
    }
    var node: Int? = leaf
    while let current = node {
      if let cause = causes.last(of: current) { return cause }
      node = table.nodes[current].parent
    }
    return nil
  }
}

extension SpanTable {
  /// Whether it is the run's own step and has parts: none of the path, though a timer of it may have ended the run.
  func isRun(_ node: Int) -> Bool { nodes[node].parent == nil && !nodes[node].isLeaf }
}

extension SpanTable.Node {
  /// Whether a path may have it: a leaf, or what a timer ended.
  var isOnPaths: Bool { isLeaf || isEndedByTimer }

  var duration: Int64? {
    guard let started, let finished else { return nil }
    return finished.subtractingClamped(started)
  }
}
