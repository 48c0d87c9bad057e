extension SpanTable {
  /// One span, and what happened to it.
  package struct Node {
    // A run can have millions of nodes. Positions take four bytes, and rare properties have an object of their own.
    // Names, lanes and times are those of its events, and its start and its end are moments.
    package var work: Int64 = 0
    private let submitEvent: Int32
    private var workEvent = CompactOptional<Int32>()
    private let parentNode: CompactOptional<Int32>
    private var firstChildNode = CompactOptional<Int32>()
    private var lastChildNode = CompactOptional<Int32>()
    private var nextSiblingNode = CompactOptional<Int32>()
    /// Whether it is not a step but a place where steps run: a queue, a layer or an actor.
    package let isPlace: Bool
    /// Whether it is a Swift task.
    package let isTask: Bool
    /// Whether it is a chain of promises, which is not a step of its parent pattern.
    let isChain: Bool
    package var outcome: TraceEvent.Outcome?
    /// Whether a pattern promised at its end that all of its steps had ended.
    var awaitsAll = false
    /// Whether its end was recorded as a timeout by its own timer.
    var hasTimedOut = false
    /// Whether no code referred to the task when it last started or resumed.
    var isUnreferenced = false
    private var rare: Shared<Details>?

    /// - Parameter event: the submission of the span, at `position` among all events.
    init(_ event: TraceEvent, at position: Int, parent: Int?) {
      submitEvent = Int32(clamping: position)
      isPlace = event.role == .place
      isTask = event.role == .task
      isChain = event.role == .chain
      parentNode = CompactOptional(position: parent)
    }

    /// The position of its pattern among the nodes.
    package var parent: Int? { parentNode.position }
    var firstChild: Int? {
      get { firstChildNode.position }
      set { firstChildNode.position = newValue }
    }
    var lastChild: Int? {
      get { lastChildNode.position }
      set { lastChildNode.position = newValue }
    }
    var nextSibling: Int? {
      get { nextSiblingNode.position }
      set { nextSiblingNode.position = newValue }
    }

    /// The position of its submission among all events.
    package var submitPosition: Int { Int(submitEvent) }
    /// The last event that recorded work of it.
    var workPosition: Int? {
      get { workEvent.position }
      set { workEvent.position = newValue }
    }
    var isLeaf: Bool { firstChild == nil }

    /// Nil for most nodes.
    package var details: Details? { rare?.properties }

    mutating func changeDetails(_ change: (inout Details) -> Void) {
      var changed = details ?? Details()
      change(&changed)
      rare = Shared(changed)
    }
  }

  /// When its pattern submitted it.
  package func submitTime(of node: Int) -> Int64 {
    events.time(at: nodes[node].submitPosition).nanoseconds
  }

  /// When it started, if it ever did.
  package func startTime(of node: Int) -> Int64? {
    moments.start(of: node).map { moments[$0].time }
  }
  /// When it finished, if it did.
  package func finishTime(of node: Int) -> Int64? {
    moments.finish(of: node).map { moments[$0].time }
  }

  func hasStarted(_ node: Int) -> Bool { moments.start(of: node) != nil }

  func duration(of node: Int) -> Int64? {
    guard let started = startTime(of: node), let finished = finishTime(of: node) else { return nil }
    return finished.subtractingClamped(started)
  }

  // The positions of its events among all events. They order events of the same instant.
  package func startPosition(of node: Int) -> Int {
    moments.start(of: node).map { moments[$0].position } ?? .max
  }
  func finishPosition(of node: Int) -> Int {
    moments.finish(of: node).map { moments[$0].position } ?? .max
  }

  package func label(of node: Int) -> String {
    nodes[node].details?.name ?? events.name(at: nodes[node].submitPosition)
  }

  /// Its kind, such as `sleep` or `serial`.
  package func kind(of node: Int) -> String { events.detail(at: nodes[node].submitPosition) }

  package func span(of node: Int) -> Span { events.span(at: nodes[node].submitPosition) }

  package func startLane(of node: Int) -> Lane? {
    moments.start(of: node).map { events.lane(at: moments[$0].position) }
  }

  /// The lane on which it last worked. Without work, the lane that was last blocked for it, or else the lane on which
  /// it started.
  package func lane(of node: Int) -> Lane? {
    nodes[node].workPosition.map { events.lane(at: $0) } ?? nodes[node].details?.blockLane
      ?? startLane(of: node)
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
    Dictionary(parts(of: pattern).map { (label(of: $0), $0) }) { $1 }
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
