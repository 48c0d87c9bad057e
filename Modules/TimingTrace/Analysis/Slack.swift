/// How much later each node could have ended without the end of the run.
///
/// From the end of the run backwards, as the critical path method has it (Kelley, Walker: “Critical-path
/// planning and scheduling”, 1959, doi:10.1145/1460299.1460318): a node has as much slack as what waited for its
/// end, and as much more as it ended before the last thing that waited for it. What waited is told by recorded
/// edges, by who woke whom, by who held its lane, and where nothing is recorded by whose end came last before a
/// start (see `Causes`). What a timer ended has as much slack at its start as at its end, and as much more as that then
/// waited for its lane. The time between an end and what it let start counts as if it always took that long, and so does
/// that between an end and when its follower was submitted.
struct Slack {
  /// By node; nil for what was called off, did not finish, or is part of a run that did not.
  let ofNodes: [Int64?]

  /// - Parameter end: when the run ended.
  /// - Complexity: O(n log n) in the number of events.
  init(_ table: SpanTable, _ path: CriticalPath, eventCount: Int, end: Int64) {
    let nodes = table.nodes
    let followers = Followers(table, path)
    let (slots, lastPart) = table.moments(path.causes, eventCount: eventCount)
    var atEnd = [Int64](repeating: .max, count: nodes.count)
    var atStart = atEnd
    for slot in slots.reversed() where slot >= 0 {
      let index = Int(slot) / 2
      let node = nodes[index]
      if slot % 2 == 0 {
        // What was called off would have been whenever it had started.
        if node.isOnPaths && !path.causes.isCalledOff(index) {
          atStart[index] = min(
            atStart[index], atEnd[index].addingClamped(path.causes.endSlack(of: index)))
        }
        if let parent = node.parent,
          let own = table.ownWait(of: index, in: parent, path.causes)
        {
          atStart[parent] = min(atStart[parent], atStart[index].addingClamped(own))
        }
        continue
      }
      guard let finished = node.finished else { continue }
      var slack = max(end.subtractingClamped(finished), 0)
      if path.causes.isCalledOff(index) {
        // Nobody waited for it but for its lane.
        slack = .max
      } else if let parent = node.parent, node.endPosition < nodes[parent].endPosition,
        nodes[parent].finished != nil, !nodes[parent].isEndedByTimer
      {
        let before = max((lastPart[parent] ?? finished).subtractingClamped(finished), 0)
        let room = before.addingClamped(path.causes.endSlack(of: parent))
        slack = min(slack, atEnd[parent].addingClamped(room))
      }
      followers.forEach(of: index) { follower, before in
        let later =
          follower.moment == .start ? atStart[follower.node] : atEnd[follower.node]
        slack = min(slack, later.addingClamped(before))
      }
      atEnd[index] = slack
    }
    ofNodes = nodes.indices.map { index in
      let node = nodes[index]
      let isKnown = node.finished != nil && node.started != nil && node.outcome != .cancelled
      return isKnown && atEnd[index] != .max ? atEnd[index] : nil
    }
  }
}

extension SpanTable {
  /// For how long a part waited for something outside of its pattern after that had started: the pattern could as
  /// well have started so much later. Nil where the part waited for another part.
  fileprivate func ownWait(of part: Int, in pattern: Int, _ causes: Causes) -> Int64? {
    guard let cause = causes.last(of: part), let end = nodes[cause.leaf].finished,
      let started = nodes[pattern].started, end > started
    else { return 0 }
    return causes.nesting.isPart(cause.leaf, of: pattern) ? nil : end.subtractingClamped(started)
  }

  /// For each event the start of a node (twice its number) or its end (one more), -1 for others; and for each
  /// node when the last of its parts ended, of those that were not called off.
  func moments(_ causes: Causes, eventCount: Int) -> (slots: [Int32], lastPart: [Int64?]) {
    var slots = [Int32](repeating: -1, count: eventCount)
    var lastPart = [Int64?](repeating: nil, count: nodes.count)
    for (index, node) in nodes.enumerated() {
      if slots.indices.contains(node.startPosition) { slots[node.startPosition] = Int32(index * 2) }
      guard slots.indices.contains(node.endPosition) else { continue }
      slots[node.endPosition] = Int32(index * 2 + 1)
      guard let parent = node.parent, let finished = node.finished, !causes.isCalledOff(index),
        node.endPosition < nodes[parent].endPosition
      else { continue }
      lastPart[parent] = max(lastPart[parent] ?? finished, finished)
    }
    return (slots, lastPart)
  }
}

/// Who waited for the end of each node.
struct Followers {
  struct Follower {
    /// What of it waited.
    enum Moment {
      case start
      /// Its end, which the other one brought about.
      case end
      /// Its end, for the lane that the other one held.
      case turnToEnd
    }

    let node: Int
    let moment: Moment
  }

  private struct Link {
    let follower: Follower
    /// How long before the last of what the follower waited for the node ended.
    let before: Int64
    let previous: Int32
  }

  private var last: [Int32]
  private var links: [Link] = []

  init(_ table: SpanTable, _ path: CriticalPath) {
    last = Array(repeating: -1, count: table.nodes.count)
    for (index, node) in table.nodes.enumerated() where node.started != nil {
      if let cause = path.causes.end(of: index) {
        let moment: Follower.Moment = cause.kind == .resolvedBy ? .end : .turnToEnd
        add(cause.source, Follower(node: index, moment: moment), 0)
      }
      let ends = path.causes.all(of: index).compactMap { cause in
        table.nodes[cause.source].finished.map { (source: cause.source, end: $0) }
      }
      guard let ready = ends.lazy.map(\.end).max() else { continue }
      for (source, end) in ends {
        let follower = Follower(node: index, moment: .start)
        // A timer may lie between, as before another try.
        let asked = max(end, table.nodes[index].submitted)
        add(source, follower, max(ready.subtractingClamped(asked), 0))
      }
    }
    for edge in table.edges where edge.kind == .resolvedBy {
      guard table.nodes[edge.from].finished != nil, table.nodes[edge.to].finished != nil else {
        continue
      }
      add(edge.from, Follower(node: edge.to, moment: .end), 0)
    }
  }

  private mutating func add(_ node: Int, _ follower: Follower, _ before: Int64) {
    links.append(Link(follower: follower, before: before, previous: last[node]))
    last[node] = Int32(links.count - 1)
  }

  func forEach(of node: Int, _ body: (Follower, Int64) -> Void) {
    var index = last[node]
    while index >= 0 {
      let link = links[Int(index)]
      body(link.follower, link.before)
      index = link.previous
    }
  }
}
