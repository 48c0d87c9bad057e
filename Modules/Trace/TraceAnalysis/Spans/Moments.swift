/// The moments at which the spans of a run started, continued and ended. Each has a list of the moments that it had to
/// wait for.
///
/// The last of those is its binding input, which caused the moment. The critical path follows these links back from the
/// end of the run, and slack spreads along all of them. The links come from recorded causes. A cause names a span; it
/// means the last moment of that span, or its end.
package struct Moments {
  package struct Moment {
    package enum Kind {
      case start, resume, finish
      /// The node was cancelled and kept running.
      case cancellation
    }

    // A run can have millions of moments: positions take four bytes, and the order of the properties leaves no gaps.
    package let time: Int64
    /// How long it had waited for its lane.
    package let queued: Int64
    /// The positions of its inputs among all inputs.
    package var inputs: Range<Int32> = 0..<0
    private let nodePosition: Int32
    private let eventPosition: Int32
    private var previousMoment = CompactOptional<Int32>()
    package let kind: Kind
    /// The recorded cause.
    package let cause: Cause.Kind
    /// Whether a timer fired.
    package let isByTimer: Bool
    /// Whether the node then worked before its next moment.
    var precedesWork = false

    package var node: Int { Int(nodePosition) }
    /// Its position among all events.
    package var position: Int { Int(eventPosition) }
    /// The previous moment of the same node.
    package var previous: Int? {
      get { previousMoment.position }
      set { previousMoment.position = newValue }
    }

    init(
      node: Int, time: Int64, position: Int, queued: Int64, kind: Kind, cause: Cause.Kind,
      isByTimer: Bool
    ) {
      (nodePosition, eventPosition) = (Int32(clamping: node), Int32(clamping: position))
      (self.time, self.queued) = (time, queued)
      (self.kind, self.cause, self.isByTimer) = (kind, cause, isByTimer)
    }
  }

  /// An earlier moment that a moment waited for.
  package struct Input {
    /// How much later the earlier moment could have come without delaying this one.
    package var room: Int64 = 0
    private let momentPosition: Int32
    package let kind: Cause.Kind
    /// Whether the event of the waiting moment names this input as its cause.
    package var isNamed: Bool

    init(moment: Int, kind: Cause.Kind, isNamed: Bool = false) {
      momentPosition = Int32(clamping: moment)
      (self.kind, self.isNamed) = (kind, isNamed)
    }

    /// The position of the earlier moment.
    package var moment: Int { Int(momentPosition) }

    /// Orders inputs of the same instant. The input with the largest rank is the binding one.
    fileprivate var rank: Int { kind == .itself ? 2 : isNamed ? 1 : 0 }
  }

  /// All moments, in the order of their events.
  private(set) var all: [Moment] = []
  /// The inputs of all moments, one moment after the other. The binding input of each moment comes first.
  private var inputs: [Input] = []
  // The moments so far, by node.
  package private(set) var ofStart = OptionalPositions()
  package private(set) var ofFinish = OptionalPositions()
  private(set) var ofCancellation = OptionalPositions()
  private(set) var last = OptionalPositions()
  /// For each node that has not started, what it has awaited so far.
  private var awaited: [Int: [Input]] = [:]

  package subscript(moment: Int) -> Moment { all[moment] }

  /// Everything that a moment waited for, its binding input first.
  func inputs(of moment: Moment) -> ArraySlice<Input> {
    inputs[Int(moment.inputs.lowerBound)..<Int(moment.inputs.upperBound)]
  }

  /// The last input that a moment waited for.
  package func binding(of moment: Moment) -> Input? {
    moment.inputs.isEmpty ? nil : inputs[Int(moment.inputs.lowerBound)]
  }

  // MARK: Building

  /// - Parameters:
  ///   - nodeCount: the expected number of nodes.
  ///   - eventCount: the number of events. There are at most as many moments, and rarely more inputs.
  mutating func reserveCapacity(nodes nodeCount: Int, events eventCount: Int) {
    ofStart.reserveCapacity(nodeCount)
    ofFinish.reserveCapacity(nodeCount)
    ofCancellation.reserveCapacity(nodeCount)
    last.reserveCapacity(nodeCount)
    all.reserveCapacity(eventCount - nodeCount)
    inputs.reserveCapacity(eventCount)
  }

  mutating func addNode() {
    ofStart.append()
    ofFinish.append()
    ofCancellation.append()
    last.append()
  }

  /// Records that the node waited for a moment before it could start.
  mutating func await(_ moment: Int?, _ kind: Cause.Kind, by node: Int) {
    guard let moment, ofStart[node] == nil else { return }
    awaited[node, default: []].append(Input(moment: moment, kind: kind))
  }

  /// Adds a moment and its inputs.
  ///
  /// - Parameters:
  ///   - moment: the moment without its inputs.
  ///   - first: the moment that its cause means, before any wait for a lane or for another span.
  ///   - last: the last moment of the span that released the lane, or that woke the waiting span.
  ///   - wait: how long the moment waited for `last`.
  ///   - also: further moments that the moment waited for.
  mutating func add(
    _ moment: Moment, after first: Input?, _ last: Input?, wait: Int64, also: [Input] = []
  ) {
    var moment = moment
    let node = moment.node
    moment.previous = self.last[node]
    let known = moment.kind == .start && !awaited.isEmpty ? awaited.removeValue(forKey: node) : nil
    let start = Int32(inputs.count)
    if also.isEmpty, known == nil, last == nil {
      if let first { inputs.append(first) }
    } else {
      var others = also + (known ?? [])
      if let first {
        others.removeAll { $0.moment == first.moment }
        others.append(first)
      }
      if let binding = link(moment, to: &others, last, wait: wait) { inputs.append(binding) }
      inputs += others
    }
    moment.inputs = start..<Int32(inputs.count)
    note(moment)
  }

  /// Returns the binding input, and sets the room of the others. The binding input is the holder of the lane or the
  /// waker. Without one, it is the last input, which is then removed from `inputs`. The time from the last input to the
  /// moment is treated as constant.
  private func link(
    _ moment: Moment, to inputs: inout [Input], _ holder: Input?, wait: Int64
  ) -> Input? {
    let last = inputs.indices.max { precedes(inputs[$0], inputs[$1]) }
    let ready = last.map { all[inputs[$0].moment].time } ?? moment.time
    let wait = holder == nil ? 0 : wait
    for index in inputs.indices {
      let early = ready.subtractingClamped(all[inputs[index].moment].time)
      inputs[index].room = max(early, 0).addingClamped(wait)
    }
    return holder ?? last.map { inputs.remove(at: $0) }
  }

  /// Orders inputs by time. At the same instant, the moment's own span comes last, and the cause that its event names
  /// comes directly before it.
  private func precedes(_ left: Input, _ right: Input) -> Bool {
    (all[left.moment].time, left.rank, left.moment)
      < (all[right.moment].time, right.rank, right.moment)
  }

  /// Records that the node has worked since its last moment.
  mutating func noteWork(of node: Int) {
    if let moment = last[node] { all[moment].precedesWork = true }
  }

  private mutating func note(_ moment: Moment) {
    let (node, number) = (moment.node, all.count)
    all.append(moment)
    switch moment.kind {
    case .start: ofStart[node] = number
    case .finish: ofFinish[node] = number
    case .resume: break
    case .cancellation:
      ofCancellation[node] = number
      // The node keeps running, so this is not one of its own moments.
      return
    }
    last[node] = number
  }

  /// The last moment of a node that is not later than `time`. Only a limited number of its latest moments are searched.
  /// Nil if none is found among them.
  func last(of node: Int, until time: Int64) -> Int? {
    var moment = last[node]
    for _ in 0..<Self.furthest {
      guard let current = moment, all[current].time > time else { return moment }
      moment = all[current].previous
    }
    return nil
  }

  /// The number of moments of one node that are searched. It is limited because invented events may name any time.
  private static let furthest = 4096
}
