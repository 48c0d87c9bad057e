extension SpanTable {
  /// One span, and what happened to it.
  package struct Node {
    // A run can have millions of nodes, so positions take four bytes, and rare properties have an object of their own.
    package internal(set) var label: String
    package let kind: String
    package var work: Int64 = 0
    private let submission: Point
    private var startPoint = Point.none
    private var finishPoint = Point.none
    let span: Span
    private let parentNode: CompactOptional<Int32>
    private var firstChildNode = CompactOptional<Int32>()
    private var lastChildNode = CompactOptional<Int32>()
    private var nextSiblingNode = CompactOptional<Int32>()
    package var workLane: Lane?
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
    private var rare: Rare<Details>?

    /// - Parameter event: the submission of the span, at `position` among all events.
    init(_ event: TraceEvent, at position: Int, parent: Int?) {
      (label, kind, span) = (event.name, event.detail, event.span)
      submission = Point(event, at: position)
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

    var start: Point? {
      get { startPoint.isNone ? nil : startPoint }
      set { startPoint = newValue ?? .none }
    }
    var finish: Point? {
      get { finishPoint.isNone ? nil : finishPoint }
      set { finishPoint = newValue ?? .none }
    }

    package var submitted: Int64 { submission.time }
    package var started: Int64? { start?.time }
    package var finished: Int64? { finish?.time }
    package var submitPosition: Int { submission.position }
    package var startPosition: Int { start?.position ?? .max }
    var finishPosition: Int { finish?.position ?? .max }
    package var startLane: Lane? { start?.lane }
    var isLeaf: Bool { firstChild == nil }

    /// Nil for most nodes.
    package var details: Details? { rare?.properties }

    mutating func changeDetails(_ change: (inout Details) -> Void) {
      var changed = details ?? Details()
      change(&changed)
      rare = Rare(changed)
    }

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
    private let eventPosition: Int32
    let lane: Lane

    /// Its position among all events, which orders events of the same instant.
    var position: Int { Int(eventPosition) }
    var isNone: Bool { eventPosition < 0 }

    static let none = Point(time: 0, eventPosition: -1, lane: Lane(number: 0))

    private init(time: Int64, eventPosition: Int32, lane: Lane) {
      (self.time, self.eventPosition, self.lane) = (time, eventPosition, lane)
    }

    init(_ event: TraceEvent, at position: Int) {
      self.init(
        time: event.time.nanoseconds, eventPosition: Int32(clamping: position), lane: event.lane)
    }
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
