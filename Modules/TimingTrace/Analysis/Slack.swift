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
    let causes = path.causes
    let followers = Followers(table, path)
    let moments = Moments(table, causes, eventCount: eventCount)
    var atEnd = [Int64](repeating: .max, count: nodes.count)
    var atCut = atEnd
    var atStart = atEnd
    for moment in moments.all.reversed() {
      let index = moment.node
      let node = nodes[index]
      switch moment.kind {
      case .start:
        // What was called off would have been whenever it had started.
        if node.isOnPaths && !causes.isCalledOff(index) {
          atStart[index] = min(
            atStart[index],
            atEnd[index].addingClamped(node.goesOn ? 0 : causes.endSlack(of: index)))
        }
        if node.goesOn {
          atStart[index] = min(
            atStart[index], atCut[index].addingClamped(causes.endSlack(of: index)))
        }
        if let parent = node.parent, let own = table.ownWait(of: index, in: parent, causes) {
          atStart[parent] = min(atStart[parent], atStart[index].addingClamped(own))
        }
      case .cut, .end:
        guard let finished = node.finished else { continue }
        var slack = Int64.max
        // Who called it off waited for it no more, but its lane did.
        if moment.kind == .end, !causes.isCalledOff(index) {
          slack = max(end.subtractingClamped(finished), 0)
          if let parent = node.parent, node.stopPosition < nodes[parent].stopPosition,
            nodes[parent].finished != nil, !nodes[parent].endsByTimer
          {
            let before = max((moments.lastPart[parent] ?? finished).subtractingClamped(finished), 0)
            let late = nodes[parent].goesOn ? 0 : causes.endSlack(of: parent)
            slack = min(slack, atEnd[parent].addingClamped(before.addingClamped(late)))
          }
        }
        if moment.kind == .cut, let parent = node.parent, causes.isLast(index, of: parent) {
          slack = min(slack, atEnd[parent])
        }
        followers.forEach(of: index) { follower in
          guard follower.isOfCut == (moment.kind == .cut) else { return }
          let later =
            switch follower.moment {
            case .start: atStart[follower.node]
            case .end: atEnd[follower.node]
            case .turnToEnd:
              nodes[follower.node].goesOn ? atCut[follower.node] : atEnd[follower.node]
            }
          slack = min(slack, later.addingClamped(follower.before))
        }
        if moment.kind == .cut { atCut[index] = slack } else { atEnd[index] = slack }
      }
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
    guard let cause = causes.last(of: part), let end = end(of: cause),
      let started = nodes[pattern].started, end > started
    else { return 0 }
    return causes.nesting.isPart(cause.leaf, of: pattern) ? nil : end.subtractingClamped(started)
  }
}

/// Who waited for the end of each node, or until it was cut off.
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
    /// How long before the last of what the follower waited for the node ended.
    var before: Int64 = 0
    /// Whether it waited only until a timer cut the node off, which went on.
    var isOfCut = false
  }

  private struct Link {
    let follower: Follower
    let previous: Int32
  }

  private var last: [Int32]
  private var links: [Link] = []

  init(_ table: SpanTable, _ path: CriticalPath) {
    last = Array(repeating: -1, count: table.nodes.count)
    for (index, node) in table.nodes.enumerated() where node.started != nil {
      if let cause = path.causes.end(of: index) {
        let moment: Follower.Moment = cause.kind == .resolvedBy ? .end : .turnToEnd
        add(cause.source, Follower(node: index, moment: moment))
      }
      let isTimed = !node.goesOn && path.causes.request(of: index) != nil
      let causes =
        isTimed ? path.causes.allPermissions(of: index) : path.causes.all(of: index)
      let ends = causes.compactMap { cause in
        table.sourceEnd(of: cause).map { (cause: cause, end: $0) }
      }
      guard let ready = ends.lazy.map(\.end).max() else { continue }
      for (cause, end) in ends {
        // A timer may lie between, as before another try.
        let asked = max(end, table.nodes[index].submitted)
        let before = max(ready.subtractingClamped(asked), 0)
        add(
          cause.source,
          Follower(
            node: index, moment: .start, before: before,
            isOfCut: cause.isCut && table.nodes[cause.source].goesOn))
      }
    }
    for edge in table.edges where edge.kind == .resolvedBy {
      guard table.nodes[edge.from].finished != nil, table.nodes[edge.to].finished != nil else {
        continue
      }
      add(edge.from, Follower(node: edge.to, moment: .end))
    }
  }

  private mutating func add(_ node: Int, _ follower: Follower) {
    links.append(Link(follower: follower, previous: last[node]))
    last[node] = Int32(links.count - 1)
  }

  func forEach(of node: Int, _ body: (Follower) -> Void) {
    var index = last[node]
    while index >= 0 {
      let link = links[Int(index)]
      body(link.follower)
      index = link.previous
    }
  }
}
