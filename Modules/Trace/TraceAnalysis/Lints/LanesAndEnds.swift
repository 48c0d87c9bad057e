/// A step that kept running after it was cancelled.
struct LateEnd {
  let step: Int
  /// The pattern that had ended. Nil if the step was cancelled or timed out before any pattern around it ended.
  let pattern: Int?
  /// The task that cancelled the step, if a task did.
  var canceller: Int?
  /// When the pattern ended, or when the step was cancelled or timed out.
  let since: Int64
  let nanoseconds: Int64
}

/// Many threads that were blocked at the same time.
struct ThreadExplosion {
  /// The node for which most of the threads were blocked: a pattern, or the step itself if it has no pattern.
  let node: Int
  let threads: Int
  let time: Int64
}

extension SpanTable {
  /// With more threads than this blocked at the same time, the run has too many. A pool with one thread for each core
  /// of a large machine has about as many.
  static let manyThreads = 16

  /// The leaves that were cancelled, or timed out, and ended well after that or after the end of their pattern.
  ///
  /// - Complexity: O(n) in the number of nodes, times the depth of nesting, which is at most 256.
  var lateEnds: [LateEnd] {
    nodes.indices.compactMap { index in
      // Code of another task may cancel a task at any time.
      let cut = nodes[index].isTask ? timeOfKeepingRunning(index) : timeOfTimeout(index)
      guard nodes[index].isLeaf, nodes[index].outcome == .cancelled || cut != nil,
        let finished = finishTime(of: index), hasStarted(index)
      else { return nil }
      let pattern = patternEnded(before: index)
      let end = pattern.flatMap { finishTime(of: $0) }
      guard let since = [end, cut].compactMap(\.self).min(),
        finished.subtractingClamped(since) >= grace
      else { return nil }
      return LateEnd(
        step: index, pattern: since == end ? pattern : nil,
        canceller: nodes[index].isTask ? nodes[index].details?.cancelled?.by : nil, since: since,
        nanoseconds: finished.subtractingClamped(since))
    }
  }

  /// The innermost enclosing pattern that ended before the node did. Nil if the node had not started by then.
  private func patternEnded(before index: Int) -> Int? {
    let end = finishPosition(of: index)
    let ended = enclosing(nodes[index].parent).first { finishPosition(of: $0) < end }
    return ended.flatMap { startPosition(of: index) < finishPosition(of: $0) ? $0 : nil }
  }

  /// The moment at which the most threads were blocked at the same time, if they were too many.
  ///
  /// - Complexity: O(n log n) in the number of times that a thread was blocked.
  var threadExplosion: ThreadExplosion? {
    let intervals = blocking.intervals
    guard intervals.count > Self.manyThreads else { return nil }
    var changes: [(time: Int64, isBegin: Bool, index: Int)] = []
    for (index, interval) in intervals.enumerated() where interval.from < interval.to {
      changes.append((interval.from, true, index))
      changes.append((interval.to, false, index))
    }
    // Ends come first at the same instant, so that they do not overlap with starts.
    changes.sort { ($0.time, $0.isBegin ? 1 : 0) < ($1.time, $1.isBegin ? 1 : 0) }
    var (count, most, time) = (0, 0, Int64(0))
    for change in changes {
      count += change.isBegin ? 1 : -1
      if count > most { (most, time) = (count, change.time) }
    }
    guard most > Self.manyThreads else { return nil }
    let blocked = intervals.filter { $0.from <= time && time < $0.to }.compactMap(\.node)
    let byPattern = Dictionary(grouping: blocked) { nodes[$0].parent ?? $0 }
    let main = byPattern.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }
    return main.map { ThreadExplosion(node: $0.key, threads: most, time: time) }
  }
}
