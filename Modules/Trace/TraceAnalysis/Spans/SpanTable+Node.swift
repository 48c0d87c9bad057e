extension SpanTable {
  /// One span, and what happened to it.
  package struct Node {
    package internal(set) var label: String
    package let kind: String
    let submission: Point
    let span: Span
    // A run can have millions of nodes: small properties are placed where large ones would leave gaps.
    /// Whether it is not a step but a place where steps run: a queue, a layer or an actor.
    let isPlace: Bool
    /// Whether it is a Swift task.
    let isTask: Bool
    /// Whether it is a chain of promises, which is not a step of its parent pattern.
    let isChain: Bool
    package var outcome: TraceEvent.Outcome?
    /// Whether a pattern promised at its end that all of its steps had ended.
    var awaitsAll = false
    /// Whether its end was recorded as a timeout by its own timer.
    var hasTimedOut = false
    /// Whether a task waited for its end.
    var isAwaited = false
    /// The position of its pattern among the nodes.
    package let parent: Int?
    package var workLane: Lane?
    var start: Point?
    var finish: Point?
    var group: String?
    /// Why it failed.
    package var reason = ""
    /// The span that had cancelled it when it ended, and when.
    var cancelled: (by: Int?, at: Int64)?
    /// The span that cancelled it from outside, if it ended because of that.
    var canceller: Int?
    /// The call in which it first blocked a lane, if known.
    var blockingCall: String?
    /// Whether a lane was blocked for it to the end of the run.
    var isBlockedToEnd = false
    var blockCount: Int32 = 0
    package var work: Int64 = 0
    package var blocked: Int64 = 0
    var firstChild: Int?
    package var blockLane: Lane?
    var lastChild: Int?
    var nextSibling: Int?

    package var submitted: Int64 { submission.time }
    package var started: Int64? { start?.time }
    package var finished: Int64? { finish?.time }
    package var submitPosition: Int { submission.position }
    package var startPosition: Int { start?.position ?? .max }
    var finishPosition: Int { finish?.position ?? .max }
    package var startLane: Lane? { start?.lane }
    var isLeaf: Bool { firstChild == nil }

    var duration: Int64? {
      guard let started, let finished else { return nil }
      return finished.subtractingClamped(started)
    }
  }

  /// The maximum depth of nesting. Compositions never nest deeper, but invented events may nest without end.
  static let deepest = 256

  /// A node and the patterns around it, the innermost first.
  package func enclosing(_ node: Int?) -> some Sequence<Int> {
    sequence(state: (next: node, depth: 0)) { [nodes] state -> Int? in
      guard let node = state.next, state.depth < Self.deepest else { return nil }
      state = (nodes[node].parent, state.depth + 1)
      return node
    }
  }

  /// The parts of a pattern, in the order in which they were submitted.
  func parts(of pattern: Int) -> some Sequence<Int> {
    sequence(state: nodes[pattern].firstChild) { [nodes] next -> Int? in
      defer { next = next.flatMap { nodes[$0].nextSibling } }
      return next
    }
  }

  /// The parts by label. If several have one label, the last one is used.
  func partsByLabel(of pattern: Int) -> [String: Int] {
    Dictionary(parts(of: pattern).map { (nodes[$0].label, $0) }) { $1 }
  }

  /// When and where an event of a span happened.
  struct Point {
    let time: Int64
    /// Its position among all events, which orders events of the same instant.
    let position: Int
    let lane: Lane
  }
}

extension SpanTable {
  /// The nodes that are steps of a record, in its order: parts follow their pattern. The run's own step is included
  /// only if it has no parts and none will follow.
  ///
  /// It is not recursive, since events may claim any depth of nesting.
  func stepOrder(hasParts: Bool = false) -> [Int] {
    var order: [Int] = []
    order.reserveCapacity(nodes.count)
    let root = root
    for top in nodes.indices where nodes[top].parent == nil {
      var pending: [Int] = []
      if top != root || nodes[top].isLeaf && !hasParts { order.append(top) }
      if let first = nodes[top].firstChild { pending.append(first) }
      while let index = pending.popLast() {
        order.append(index)
        if let sibling = nodes[index].nextSibling { pending.append(sibling) }
        if let child = nodes[index].firstChild { pending.append(child) }
      }
    }
    return order
  }
}
