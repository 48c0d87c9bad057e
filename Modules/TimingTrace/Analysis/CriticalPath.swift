internal import AsyncPatterns

/// The chain of leaf steps that a run's makespan is made of.
///
/// From the last finisher it walks back, each time to what the step had to wait for last (see `StartCauses`). Where a
/// step waited for nothing itself, its pattern may have; a step that stood parked itself waited for who woke it.
struct CriticalPath {
  let starts: StartCauses
  private let table: SpanTable
  private let wakes: Wakes
  /// Leaves in the order in which they finished.
  private let finishers: [Int]

  init(_ table: SpanTable) {
    self.table = table
    wakes = Wakes(table)
    finishers = table.nodes.indices
      .filter { table.nodes[$0].isLeaf && table.nodes[$0].duration != nil }
      .sorted { table.nodes[$0].finishPosition < table.nodes[$1].finishPosition }
    starts = StartCauses(table, wakes, finishers: finishers)
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
  /// of whoever finished at that moment, within a fiftieth of its own time.
  private var lastFinisher: Int? {
    guard let last = finishers.last else { return nil }
    let node = table.nodes[last]
    guard node.outcome == .cancelled, let finished = node.finished, let duration = node.duration
    else { return last }
    if let decider = starts.decider(of: last), table.nodes[decider].outcome != .cancelled {
      return decider
    }
    for other in finishers.reversed() {
      guard let end = table.nodes[other].finished, finished.subtractingClamped(end) <= duration / 50
      else { break }
      if table.nodes[other].outcome != .cancelled { return other }
    }
    return last
  }

  private func predecessor(of leaf: Int) -> Int? { cause(of: leaf)?.leaf }

  /// What a leaf had to wait for last: itself, or a pattern that it is a part of.
  ///
  /// - Complexity: O(log n) for each pattern around it.
  func cause(of leaf: Int) -> Cause? {
    let wake = wakes.last(of: leaf, before: table.nodes[leaf].finishPosition)
    if let waker = wake.flatMap(starts.cause), waker.leaf != leaf { return waker }
    var node: Int? = leaf
    while let current = node {
      if let cause = starts.last(of: current) { return cause }
      node = table.nodes[current].parent
    }
    return nil
  }
}

extension SpanTable.Node {
  var duration: Int64? {
    guard let started, let finished else { return nil }
    return finished.subtractingClamped(started)
  }
}
