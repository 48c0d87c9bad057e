internal import AsyncPatterns

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
      /// The timer that ended it, which was set then.
      case timer
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
    for (index, node) in table.nodes.enumerated() where node.started != nil || node.cut != nil {
      if let cause = path.causes.end(of: index) {
        let moment: Follower.Moment = cause.kind == .resolvedBy ? .end : .turnToEnd
        add(cause.source, Follower(node: index, moment: moment))
      }
      if case .after = path.causes.request(of: index) {
        add(index, .timer, after: path.causes.allPermissions(of: index), table)
      }
      add(index, .start, after: path.causes.all(of: index), table)
    }
    for edge in table.edges where edge.kind == .resolvedBy {
      guard table.nodes[edge.from].finished != nil, table.nodes[edge.to].finished != nil else {
        continue
      }
      add(edge.from, Follower(node: edge.to, moment: .end))
    }
  }

  private mutating func add(
    _ node: Int, _ moment: Follower.Moment, after causes: [Cause], _ table: SpanTable
  ) {
    let ends = causes.compactMap { cause in
      table.sourceEnd(of: cause).map { (cause: cause, end: $0) }
    }
    guard let ready = ends.lazy.map(\.end).max() else { return }
    for (cause, end) in ends {
      // A timer may lie between, as before another try.
      let asked = max(end, table.nodes[node].submitted)
      let before = max(ready.subtractingClamped(asked), 0)
      add(
        cause.source,
        Follower(
          node: node, moment: moment, before: before,
          isOfCut: cause.isCut && table.nodes[cause.source].goesOn))
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
