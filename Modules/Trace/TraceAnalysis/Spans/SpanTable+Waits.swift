/// The waits of spans before they started, and the edges that follow from these waits.
extension SpanTable {
  /// Something that a span, or an enclosing pattern, waited for.
  package struct Wait {
    package let kind: HandOver.Kind
    package let source: Int
    package let waiter: Int
    /// When the wait ended.
    package let until: Int64
    /// The position, among all events, of the event that ended the wait.
    package let position: Int
    /// Whether the source was cancelled at that time and kept running.
    package let wasCancelled: Bool
  }

  /// An edge: one span let another continue.
  package struct Edge {
    package let from: Int
    package let to: Int
    package let kind: EdgeRecord.Kind
    package let time: Int64
    /// Its position among all events.
    let position: Int
  }

  /// The waits of a node before it started. If its pattern started it, the waits of the pattern.
  ///
  /// - Complexity: O(n) in the number of these waits.
  package func waits(of node: Int) -> [Wait] {
    guard let start = moments.start(of: node).map({ moments[$0] }) else { return [] }
    let waits = moments.inputs(of: start).compactMap { wait(for: $0, by: start, depth: 0) }
    guard nodes[node].isTask else { return waits }
    // A task is ready as soon as it exists. What made it may have waited long before, and have done other things since.
    return waits.filter {
      $0.kind != .spawned && ($0.waiter == node || $0.until >= submitTime(of: node))
    }
  }

  /// - Parameter depth: how many resumptions of the pattern have been followed.
  private func wait(for input: Moments.Input, by moment: Moments.Moment, depth: Int) -> Wait? {
    let source = moments[input.moment]
    guard let kind = handOver(input, to: moment) else {
      guard source.kind == .resume, let binding = source.binding,
        depth < Self.mostResumptions
      else { return nil }
      return wait(for: binding, by: source, depth: depth + 1)
    }
    let hasEnded = source.kind == .finish || source.kind == .cancellation
    return Wait(
      kind: kind, source: source.node, waiter: moment.node,
      until: hasEnded ? source.time : moment.time,
      position: hasEnded ? source.position : moment.position,
      wasCancelled: source.kind == .cancellation && keptRunning(source.node, since: source.time))
  }

  /// Whether a timer fired after `time` in the chain of causes that led to the start of the node.
  func waitsForTimer(_ node: Int, since time: Int64) -> Bool {
    var moment = moments.start(of: node)
    while let current = moment.map({ moments[$0] }), current.time > time {
      if current.isByTimer { return true }
      moment = current.binding?.moment
    }
    return false
  }

  /// The maximum number of successive resumptions of a pattern that are followed.
  private static let mostResumptions = 64

  /// The kind of hand-over for an input from another span. Nil if a pattern starts its own part.
  func handOver(_ input: Moments.Input, to moment: Moments.Moment) -> HandOver.Kind? {
    let source = moments[input.moment].node
    let isOwnPattern = input.kind == .parent && isPart(moment.node, of: source)
    return isOwnPattern || source == moment.node ? nil : HandOver.Kind(input.kind)
  }

  /// In the order of the events.
  ///
  /// - Complexity: O(n log n) in the number of events.
  package var edges: [Edge] {
    var edges = askers.map { asker, node in
      Edge(
        from: asker, to: node, kind: .spawned, time: submitTime(of: node),
        position: nodes[node].submitPosition)
    }
    for moment in moments.all {
      switch moment.kind {
      case .start: addEdges(toStart: moment, &edges)
      case .resume: addEdge(toResumption: moment, &edges)
      case .finish: addEdge(toEnd: moment, &edges)
      case .cancellation: break
      }
    }
    // The sort is stable.
    edges.sort { $0.position < $1.position }
    return edges
  }

  private func addEdges(toStart moment: Moments.Moment, _ edges: inout [Edge]) {
    let node = moment.node
    for input in moments.inputs(of: moment) {
      guard let wait = wait(for: input, by: moment, depth: 0), wait.waiter == node,
        let kind = EdgeRecord.Kind(wait.kind), kind != .spawned
      else { continue }
      edges.append(
        Edge(
          from: wait.source, to: node, kind: kind,
          time: moment.time.subtractingClamped(queued(of: moment)), position: wait.position))
    }
  }

  private func addEdge(toResumption moment: Moments.Moment, _ edges: inout [Edge]) {
    guard let binding = moment.binding,
      let kind = handOver(binding, to: moment).flatMap(EdgeRecord.Kind.init),
      kind == .woke || kind == .permitFrom
    else { return }
    edges.append(
      Edge(
        from: moments[binding.moment].node, to: moment.node, kind: kind, time: moment.time,
        position: moment.position))
  }

  /// Adds the edge from the part that decided how a pattern ended, if the pattern did not await all of its parts.
  private func addEdge(toEnd moment: Moments.Moment, _ edges: inout [Edge]) {
    let node = nodes[moment.node]
    // The pattern's thread may have continued since that part ended, so that part need not be its binding input.
    guard moment.cause == .end, !node.awaitsAll,
      let input = moments.inputs(of: moment).first(where: { $0.kind == .end })
    else { return }
    edges.append(
      Edge(
        from: moments[input.moment].node, to: moment.node, kind: .resolvedBy, time: moment.time,
        position: moment.position))
  }
}

extension EdgeRecord.Kind {
  /// Converts the kind of a wait of a step for another step. Nil for a lane.
  fileprivate init?(_ kind: HandOver.Kind) {
    switch kind {
    case .dependency: self = .dependency
    case .permit: self = .permitFrom
    case .woke: self = .woke
    case .resolvedBy: self = .resolvedBy
    case .spawned: self = .spawned
    case .queue: return nil
    }
  }
}
