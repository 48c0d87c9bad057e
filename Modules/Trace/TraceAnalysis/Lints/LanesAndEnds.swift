/// A step that was called off and went on.
struct LateEnd {
  let step: Int
  /// The pattern that had ended; nil if a timer had cut the step off before one had.
  let pattern: Int?
  let nanoseconds: Int64
}

/// Many threads that stood parked at once.
struct ThreadExplosion {
  /// On whose behalf most of them did: a pattern, or the step itself if it is part of none.
  let node: Int
  let threads: Int
  let time: Int64
}

extension SpanTable {
  /// How much later than its pattern, or than its timer, a step that was called off may end; on the live clock a thread
  /// may be kept from running meanwhile.
  private static func grace(on clock: ClockKind) -> Int64 {
    clock == .virtual ? 1_000_000 : 20_000_000
  }

  /// How many threads that stand parked at once are too many: what a pool of one for each core of a large
  /// machine would have.
  static let manyThreads = 16

  /// The leaves that were called off and ended well after their timer had cut them off, or what they are a part of had
  /// ended.
  ///
  /// - Complexity: O(n) in the number of nodes, as deep as they nest; not deeper than 256.
  func lateEnds(on clock: ClockKind) -> [LateEnd] {
    let grace = Self.grace(on: clock)
    return nodes.indices.compactMap { index in
      let node = nodes[index]
      let cut = timeOfTimeout(index)
      guard node.isLeaf, node.outcome == .cancelled || cut != nil, let finished = node.finished,
        node.started != nil
      else { return nil }
      let pattern = patternEnded(before: index)
      let end = pattern.flatMap { nodes[$0].finished }
      guard let since = [end, cut].compactMap(\.self).min(),
        finished.subtractingClamped(since) >= grace
      else { return nil }
      return LateEnd(
        step: index, pattern: since == end ? pattern : nil,
        nanoseconds: finished.subtractingClamped(since))
    }
  }

  /// The innermost pattern around a node that ended before it, and after it had started.
  private func patternEnded(before index: Int) -> Int? {
    let node = nodes[index]
    let ended = enclosing(node.parent).first { nodes[$0].finishPosition < node.finishPosition }
    return ended.flatMap { node.startPosition < nodes[$0].finishPosition ? $0 : nil }
  }

  /// When the most threads stood parked at once, if those were too many.
  ///
  /// - Complexity: O(n log n) in the number of times that threads stood parked.
  var threadExplosion: ThreadExplosion? {
    let intervals = blocking.intervals
    guard intervals.count > Self.manyThreads else { return nil }
    var changes: [(time: Int64, isBegin: Bool, index: Int)] = []
    for (index, interval) in intervals.enumerated() where interval.from < interval.to {
      changes.append((interval.from, true, index))
      changes.append((interval.to, false, index))
    }
    // What ends at an instant makes room for what begins at it.
    changes.sort { ($0.time, $0.isBegin ? 1 : 0) < ($1.time, $1.isBegin ? 1 : 0) }
    var (count, most, time) = (0, 0, Int64(0))
    for change in changes {
      count += change.isBegin ? 1 : -1
      if count > most { (most, time) = (count, change.time) }
    }
    guard most > Self.manyThreads else { return nil }
    let parked = intervals.filter { $0.from <= time && time < $0.to }.compactMap(\.node)
    let byPattern = Dictionary(grouping: parked) { nodes[$0].parent ?? $0 }
    let main = byPattern.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }
    return main.map { ThreadExplosion(node: $0.key, threads: most, time: time) }
  }
}
