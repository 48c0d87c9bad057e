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
    private let nodePosition: Int32
    private let eventPosition: Int32
    private var previousMoment = CompactOptional<Int32>()
    private var bindingMoment = CompactOptional<Int32>()
    /// The position of the list of its other inputs. Few moments have any.
    fileprivate var otherInputs = CompactOptional<Int32>()
    private var bindingKind = Cause.Kind.itself
    package let kind: Kind
    /// The recorded cause.
    package let cause: Cause.Kind
    private var traits: Traits

    private struct Traits: OptionSet {
      let rawValue: UInt8

      static let isByTimer = Traits(rawValue: 1)
      static let precedesWork = Traits(rawValue: 2)
      static let isBindingNamed = Traits(rawValue: 4)

      /// Adds or removes a trait.
      mutating func set(_ trait: Traits, _ isPresent: Bool) {
        if isPresent { insert(trait) } else { remove(trait) }
      }
    }

    /// Whether a timer fired.
    package var isByTimer: Bool { traits.contains(.isByTimer) }
    /// Whether the node then worked before its next moment.
    var precedesWork: Bool {
      get { traits.contains(.precedesWork) }
      set { traits.set(.precedesWork, newValue) }
    }

    package var node: Int { Int(nodePosition) }
    /// Its position among all events.
    package var position: Int { Int(eventPosition) }
    /// The previous moment of the same node.
    package var previous: Int? {
      get { previousMoment.position }
      set { previousMoment.position = newValue }
    }

    /// The last input that it waited for.
    package fileprivate(set) var binding: Input? {
      get {
        bindingMoment.position.map {
          Input(moment: $0, kind: bindingKind, isNamed: traits.contains(.isBindingNamed))
        }
      }
      set {
        bindingMoment.position = newValue?.moment
        bindingKind = newValue?.kind ?? .itself
        traits.set(.isBindingNamed, newValue?.isNamed ?? false)
      }
    }

    init(
      node: Int, time: Int64, position: Int, kind: Kind, cause: Cause.Kind, isByTimer: Bool
    ) {
      (nodePosition, eventPosition) = (Int32(clamping: node), Int32(clamping: position))
      (self.time, self.kind, self.cause) = (time, kind, cause)
      traits = isByTimer ? .isByTimer : []
    }
  }

  /// An earlier moment that a moment waited for.
  package struct Input {
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

  /// The inputs of a moment except the binding one.
  private struct OtherInputs {
    /// Their positions in `others`.
    let positions: Range<Int>
    /// When the last of all inputs came, except that of the holder of the lane or the waker.
    let ready: Int64
    /// How long the moment then waited for the holder of the lane or the waker.
    let wait: Int64
  }

  /// All moments, in the order of their events.
  private(set) var all: [Moment] = []
  /// The inputs of all moments except the binding ones, one moment after the other.
  private var others: [Input] = []
  /// One entry for each moment with such inputs.
  private var lists: [OtherInputs] = []
  private var ofNodes: [NodeMoments] = []
  /// Few nodes are cancelled and keep running.
  private(set) var ofCancellation: [Int: Int] = [:]
  /// Whether the timer of any node has fired.
  private(set) var hasFiredTimers = false
  /// For each node that has not started, what it has awaited so far.
  private var awaited: [Int: [Input]] = [:]

  /// The moments of one node.
  private struct NodeMoments {
    var start = CompactOptional<Int32>()
    var finish = CompactOptional<Int32>()
    var last = CompactOptional<Int32>()
  }

  package func start(of node: Int) -> Int? { ofNodes[node].start.position }
  package func finish(of node: Int) -> Int? { ofNodes[node].finish.position }
  func last(of node: Int) -> Int? { ofNodes[node].last.position }

  package subscript(moment: Int) -> Moment { all[moment] }

  /// Everything that a moment waited for, its binding input first.
  func inputs(of moment: Moment) -> Inputs {
    Inputs(
      binding: moment.binding,
      others: moment.otherInputs.position.map { others[lists[$0].positions] } ?? [])
  }

  struct Inputs: Sequence, IteratorProtocol {
    fileprivate var binding: Input?
    fileprivate var others: ArraySlice<Input>

    mutating func next() -> Input? { binding.take() ?? others.popFirst() }
  }

  /// How much later an input of a moment could have come without delaying the moment. The time from the last input to
  /// the moment is treated as constant.
  func room(of input: Input, for moment: Moment) -> Int64 {
    guard input.moment != moment.binding?.moment, let list = moment.otherInputs.position else {
      return 0
    }
    let early = lists[list].ready.subtractingClamped(all[input.moment].time)
    return max(early, 0).addingClamped(lists[list].wait)
  }

  // MARK: Building

  /// - Parameters:
  ///   - nodeCount: the expected number of nodes.
  ///   - eventCount: the number of events. There are at most as many moments.
  mutating func reserveCapacity(nodes nodeCount: Int, events eventCount: Int) {
    ofNodes.reserveCapacity(nodeCount)
    all.reserveCapacity(eventCount - nodeCount)
  }

  mutating func addNode() { ofNodes.append(NodeMoments()) }

  /// Records that the node waited for a moment before it could start.
  mutating func await(_ moment: Int?, _ kind: Cause.Kind, by node: Int) {
    guard let moment, start(of: node) == nil else { return }
    awaited[node, default: []].append(Input(moment: moment, kind: kind))
  }

  /// Adds a moment and its inputs.
  ///
  /// - Parameters:
  ///   - moment: the moment without its inputs.
  ///   - first: the moment that its cause means, before any wait for a lane or for another span.
  ///   - holder: the last moment of the span that released the lane, or that woke the waiting span.
  ///   - wait: how long the moment waited for `holder`.
  ///   - own: the node's own last moment, if the moment waited for it, too.
  ///   - parts: the parts whose ends the moment waited for.
  mutating func add(
    _ moment: Moment, after first: Input?, _ holder: Input?, wait: Int64, own: Input? = nil,
    parts: some Sequence<Part> = EmptyCollection()
  ) {
    var moment = moment
    let node = moment.node
    moment.previous = last(of: node)
    let start = others.count
    // They are appended directly to those of all moments, because a pattern can have a million parts.
    func append(_ input: Input) {
      if input.moment != first?.moment { others.append(input) }
    }
    if let own { append(own) }
    for part in parts {
      let end = part.isCancelled ? nil : finish(of: part.node)
      if let end = end ?? ofCancellation[part.node] { append(Input(moment: end, kind: .end)) }
    }
    if moment.kind == .start, !awaited.isEmpty {
      awaited.removeValue(forKey: node)?.forEach(append)
    }
    if holder == nil, others.count == start {
      moment.binding = first
    } else {
      if let first { others.append(first) }
      let last = lastInput(among: start..<others.count)
      let ready = last.map { all[others[$0].moment].time } ?? .min
      // Without a holder or a waker, the last input is the binding one.
      moment.binding = holder ?? last.map { others.remove(at: $0) }
      if start < others.count {
        moment.otherInputs.position = lists.count
        lists.append(
          OtherInputs(
            positions: start..<others.count, ready: ready, wait: holder == nil ? 0 : wait))
      }
    }
    note(moment)
  }

  /// A part for whose end its pattern waited.
  struct Part {
    let node: Int
    let isCancelled: Bool
  }

  /// The position of the input that came last.
  private func lastInput(among positions: Range<Int>) -> Int? {
    var last: Int?
    var latest = Int64.min
    for index in positions {
      // Usually the times differ, and then nothing else needs to be compared.
      let time = all[others[index].moment].time
      if time < latest { continue }
      if time == latest, let last, !precedes(others[last], others[index]) { continue }
      (last, latest) = (index, time)
    }
    return last
  }

  /// Orders inputs by time. At the same instant, the moment's own span comes last, and the cause that its event names
  /// comes directly before it.
  private func precedes(_ left: Input, _ right: Input) -> Bool {
    (all[left.moment].time, left.rank, left.moment)
      < (all[right.moment].time, right.rank, right.moment)
  }

  /// Records that the node has worked since its last moment.
  mutating func noteWork(of node: Int) {
    if let moment = last(of: node) { all[moment].precedesWork = true }
  }

  private mutating func note(_ moment: Moment) {
    let (node, number) = (moment.node, all.count)
    if moment.isByTimer { hasFiredTimers = true }
    all.append(moment)
    switch moment.kind {
    case .start: ofNodes[node].start.position = number
    case .finish: ofNodes[node].finish.position = number
    case .resume: break
    case .cancellation:
      ofCancellation[node] = number
      // The node keeps running, so this is not one of its own moments.
      return
    }
    ofNodes[node].last.position = number
  }

  /// The last moment of a node that is not later than `time`. Only a limited number of its latest moments are searched.
  /// Nil if none is found among them.
  func last(of node: Int, until time: Int64) -> Int? {
    var moment = last(of: node)
    for _ in 0..<Self.furthest {
      guard let current = moment, all[current].time > time else { return moment }
      moment = all[current].previous
    }
    return nil
  }

  /// The number of moments of one node that are searched. It is limited because invented events may name any time.
  private static let furthest = 4096
}
