/// The critical path: the chain of leaf steps that make up a run's makespan.
///
/// From the last moment of the run, it follows the recorded causes back (see `Moments`). The time between a moment and
/// its cause belongs to the step that used it. A step uses time while its own timer runs, while it works, or until a
/// timer of its pattern cancels it. If a pattern was ended by its own timer, the time belongs to the pattern.
struct CriticalPath {
  /// The steps of the path, in time order. Their shares do not overlap: none begins before the end of the previous one.
  private(set) var parts: [CriticalPart] = []
  /// The delays between them, in time order.
  private(set) var delays: [CriticalDelay] = []

  // The layout is not stored here, but passed to the functions that read it. If it were stored, each call of its
  // functions would copy it, since this structure changes.
  private let nodes: [SpanTable.Node]
  private let moments: Moments
  private let root: Int?
  /// The first link back from the last part found.
  private var link: CriticalPart.Link?

  /// - Complexity: O(n) in the number of events.
  init(_ layout: StepLayout) {
    let table = layout.table
    nodes = table.nodes
    moments = table.moments
    root = table.root.flatMap { table.nodes[$0].isLeaf ? nil : $0 }
    guard let last = table.lastMoment else { return }
    parts.reserveCapacity(nodes.count)
    walk(from: last, in: layout)
    parts.reverse()
    delays.reverse()
    finish(in: layout)
  }

  /// Leaves out the run's own step, and separates the shares of the others.
  private mutating func finish(in layout: StepLayout) {
    parts.removeAll { $0.isOfOwnStep }
    for index in parts.indices {
      guard index > 0 else {
        parts[0].cause = nil
        continue
      }
      let previous = parts[index - 1]
      parts[index].from = max(parts[index].from, previous.to)
      parts[index].to = max(parts[index].to, parts[index].from)
      if let source = parts[index].cause?.source {
        parts[index].followsPartOfSource = layout.isPart(previous.step, of: source)
      }
    }
  }

  private mutating func walk(from last: Int, in layout: StepLayout) {
    let table = layout.table
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
        visit(moment.node, at: moment.time, in: layout)
      }
      guard let input else { break }
      let before = moments[input.moment]
      let user = user(of: moment, input, before, effect, in: table)
      // The time until a pattern's timer belongs to a step that waited for the same input as the timer.
      if let user, isByTimerOfPattern(moment) { visit(user, at: moment.time, in: layout) }
      note(input, of: moment, in: layout)
      if let user {
        visit(user, at: moment.time, since: before.time, in: layout)
      } else if isByTimerOfPattern(moment), input.kind != .lane,
        before.time < moment.time
      {
        delays.append(
          CriticalDelay(
            pattern: layout.stepOfNode[moment.node], from: layout.relative(before.time),
            to: layout.relative(moment.time)))
      }
      (effect, current) = (current, input.moment)
    }
    if !parts.isEmpty { parts[parts.count - 1].cause = link }
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
      let started = table.startTime(of: part), started > moments[set.moment].time
    else { return last }
    return Moments.Input(moment: own, kind: .itself)
  }

  /// Whether the node may be on the path: it is a leaf that had started, or a task, which runs code beside its parts.
  private func isStep(_ node: Int, in table: SpanTable) -> Bool {
    table.hasStarted(node) && (nodes[node].isLeaf || table.tasks.nodes.contains(node))
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
      return before.time < moment.time || table.hasStarted(user) ? user : nil
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

  /// Adds a time of a node to the path.
  ///
  /// - Parameter since: when that time began, if it is not only a moment.
  private mutating func visit(
    _ node: Int, at time: Int64, since: Int64? = nil, in layout: StepLayout
  ) {
    let (step, time) = (layout.stepOfNode[node], layout.relative(time))
    let from = min(since.map(layout.relative) ?? time, time)
    if let last = parts.indices.last, parts[last].isShare(of: step) {
      parts[last].from = min(parts[last].from, from)
      return
    }
    // A part that was cancelled together with its pattern is not a separate step of the path.
    while let last = parts.last, last.from == last.to, last.to == time,
      !last.isOfOwnStep,
      step.map({ layout.isPart(last.step, of: $0) }) ?? layout.isBelowOwn(last.step)
    {
      parts.removeLast()
    }
    if !parts.isEmpty { parts[parts.count - 1].cause = link }
    link = nil
    parts.append(CriticalPart(step: step, from: from, to: time))
  }

  /// Stores what the last part waited for: the first link back from it that leads to another step.
  private mutating func note(
    _ input: Moments.Input, of moment: Moments.Moment, in layout: StepLayout
  ) {
    guard link == nil, let last = parts.last, let kind = layout.table.handOver(input, to: moment)
    else { return }
    let source = moments[input.moment].node
    // A pattern that ends when one of its parts ends did not wait for that part.
    guard source != moment.node, moment.kind != .finish || kind == .queue else { return }
    let waiter = layout.stepOfNode[moment.node]
    let isOfEnd = last.isShare(of: waiter) && moment.kind != .start
    link = CriticalPart.Link(
      kind: kind, source: layout.stepOfNode[source], waiter: waiter,
      before: isOfEnd ? .end : .start)
  }
}
