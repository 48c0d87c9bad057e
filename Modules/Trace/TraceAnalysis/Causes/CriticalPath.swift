/// The critical path: the chain of leaf steps that make up a run's makespan.
///
/// From the last moment of the run, it follows the recorded causes back (see `Moments`). The time between a moment and
/// its cause belongs to the step that used it. A step uses time while its own timer runs, while it works, or until a
/// timer of its pattern cancels it. If a pattern was ended by its own timer, the time belongs to the pattern.
struct CriticalPath {
  /// A step on the path.
  struct Item {
    // A path can have a million steps, so positions take four bytes.
    private let nodePosition: Int32
    private var source = CompactOptional<Int32>()
    private var waiter: Int32 = 0
    private var kind = HandOver.Kind.dependency
    private var before = HandOver.Moment.start
    var from: Int64
    let to: Int64

    init(node: Int, at time: Int64) {
      nodePosition = Int32(clamping: node)
      (from, to) = (time, time)
    }

    var node: Int { Int(nodePosition) }

    /// The last wait of the step.
    var cause: Link? {
      get {
        source.position.map {
          Link(kind: kind, source: $0, waiter: Int(waiter), before: before)
        }
      }
      set {
        source.position = newValue?.source
        guard let newValue else { return }
        waiter = Int32(clamping: newValue.waiter)
        (kind, before) = (newValue.kind, newValue.before)
      }
    }
  }

  /// A recorded wait of a step on the path.
  struct Link {
    let kind: HandOver.Kind
    let source: Int
    let waiter: Int
    let before: HandOver.Moment
  }

  /// A time on the path that no step used: a timer of a pattern delayed the next step, or the end of the pattern.
  struct Delay {
    let pattern: Int
    let from: Int64
    let to: Int64
  }

  /// The steps of the path, in time order.
  private(set) var items: [Item] = []
  /// The delays between them, in time order.
  private(set) var delays: [Delay] = []

  // The table is not stored here, but passed to the functions that read it. If it were stored, each call of its
  // functions would copy it, since this structure changes.
  private let nodes: [SpanTable.Node]
  private let moments: Moments
  private let root: Int?
  /// The first link back from the last item found.
  private var link: Link?

  /// - Complexity: O(n) in the number of events.
  init(_ table: SpanTable) {
    nodes = table.nodes
    moments = table.moments
    root = table.root.flatMap { table.nodes[$0].isLeaf ? nil : $0 }
    guard let last = table.lastMoment else { return }
    items.reserveCapacity(nodes.count)
    walk(from: last, in: table)
    items.reverse()
    delays.reverse()
  }

  private mutating func walk(from last: Int, in table: SpanTable) {
    var current = last
    // The moment that the current moment caused.
    var effect: Int?
    while true {
      let moment = moments[current]
      let input = binding(of: current, in: table)
      // A step that only resumed has used no time yet.
      if nodes[moment.node].isLeaf, isStep(moment.node, in: table), moment.kind != .resume,
        !isCancelledAlong(moment, input)
      {
        visit(moment.node, at: moment.time, in: table)
      }
      guard let input else { break }
      let before = moments[input.moment]
      let user = user(of: moment, input, before, effect, in: table)
      // The time until a pattern's timer belongs to a step that waited for the same input as the timer.
      if let user, isByTimerOfPattern(moment) { visit(user, at: moment.time, in: table) }
      note(input, of: moment, in: table)
      if let user {
        visit(user, at: moment.time, in: table)
        visit(user, at: before.time, in: table)
      } else if isByTimerOfPattern(moment), input.kind != .lane,
        before.time < moment.time
      {
        delays.append(Delay(pattern: moment.node, from: before.time, to: moment.time))
      }
      (effect, current) = (current, input.moment)
    }
    if !items.isEmpty { items[items.count - 1].cause = link }
  }

  /// The input that a moment waited for last.
  ///
  /// There is one exception: a timer of the run's own step cancelled a step, and was set before that step started. Then
  /// the result is the step's own previous moment. The run's own step is not part of the path, so the time belongs to
  /// the step.
  private func binding(of moment: Int, in table: SpanTable) -> Moments.Input? {
    let known = moments[moment]
    let last = known.binding
    guard let binding = last, known.cause == .cancellation, let own = known.previous,
      moments[binding.moment].node == root, moments[binding.moment].isByTimer,
      let set = moments[binding.moment].binding, set.kind != .lane,
      moments[set.moment].node == root,
      let part = root.flatMap({ table.part(of: $0, holding: known.node) }),
      let started = nodes[part].started, started > moments[set.moment].time
    else { return last }
    return Moments.Input(moment: own, kind: .itself)
  }

  /// Whether the node may be on the path: it is a leaf that had started, or a task, which runs code beside its parts.
  private func isStep(_ node: Int, in table: SpanTable) -> Bool {
    nodes[node].hasStarted && (nodes[node].isLeaf || table.tasks.nodes.contains(node))
  }

  /// Whether a timer of a pattern led to the moment, and not a timer that a step or a task set for itself.
  private func isByTimerOfPattern(_ moment: Moments.Moment) -> Bool {
    moment.isByTimer && !nodes[moment.node].isLeaf && !nodes[moment.node].isTask
  }

  /// Whether another span cancelled the step at this moment. Then the step's own end does not put it on the path.
  private func isCancelledAlong(_ moment: Moments.Moment, _ input: Moments.Input?) -> Bool {
    moment.cause == .cancellation && input?.kind == .cancellation
  }

  /// The step that used the time between a moment and its cause. Nil if the time belongs to a hand-over.
  private func user(
    of moment: Moments.Moment, _ input: Moments.Input, _ before: Moments.Moment, _ effect: Int?,
    in table: SpanTable
  ) -> Int? {
    if isByTimerOfPattern(moment) {
      guard let effect, let user = user(ofTimer: moment, before, moments[effect], in: table) else {
        return nil
      }
      // A part that never started is on the path only if it took time.
      return before.time < moment.time || nodes[user].hasStarted ? user : nil
    }
    if before.kind == .finish || before.kind == .cancellation { return nil }
    // The run's own step cancelled this step. The time before the cancellation belongs to the cancelled step.
    if moment.cause == .cancellation, input.kind == .itself { return moment.node }
    return before.time < moment.time && isStep(before.node, in: table) ? before.node : nil
  }

  /// The user of the time until a pattern's timer: the part that it cancelled, or the pattern that it ended.
  private func user(
    ofTimer moment: Moments.Moment, _ before: Moments.Moment, _ effect: Moments.Moment,
    in table: SpanTable
  ) -> Int? {
    if effect.cause == .cancellation { return table.part(of: moment.node, holding: effect.node) }
    let isOwn = effect.kind == .finish && effect.node == moment.node && before.node == moment.node
    return isOwn && moment.node != root ? moment.node : nil
  }

  private mutating func visit(_ node: Int, at time: Int64, in table: SpanTable) {
    if let last = items.last, last.node == node {
      items[items.count - 1].from = min(last.from, time)
      return
    }
    // A part that was cancelled together with its pattern is not a separate step of the path.
    while let last = items.last, last.from == last.to, last.to == time,
      table.isPart(last.node, of: node)
    {
      items.removeLast()
    }
    if !items.isEmpty { items[items.count - 1].cause = link }
    link = nil
    items.append(Item(node: node, at: time))
  }

  /// Stores what the last item waited for: the first link back from it that leads to another step.
  private mutating func note(
    _ input: Moments.Input, of moment: Moments.Moment, in table: SpanTable
  ) {
    guard link == nil, !items.isEmpty, let kind = table.handOver(input, to: moment) else { return }
    let source = moments[input.moment].node
    // A pattern that ends when one of its parts ends did not wait for that part.
    guard source != moment.node, moment.kind != .finish || kind == .queue else { return }
    let last = items[items.count - 1].node
    let isOfEnd = moment.node == last && moment.kind != .start
    link = Link(
      kind: kind, source: source, waiter: moment.node,
      before: isOfEnd ? .end : .start)
  }
}
