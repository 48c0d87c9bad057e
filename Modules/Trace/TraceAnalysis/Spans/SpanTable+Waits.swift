/// What spans waited for before they started, and the edges that follow from that.
extension SpanTable {
  /// Something that a span waited for, or that a pattern around it waited for.
  package struct Wait {
    package let kind: HandOver.Kind
    package let source: Int
    package let waiter: Int
    /// When that ended.
    package let until: Int64
    /// The position among all events of the one that ended the wait.
    package let position: Int
    /// Whether the source was cancelled then and kept running.
    package let isCut: Bool
  }

  /// One span let another continue.
  package struct Edge {
    package let from: Int
    package let to: Int
    package let kind: EdgeRecord.Kind
    package let time: Int64
    /// Its position among all events.
    let position: Int
  }

  /// What a node waited for before it started. Where its pattern started it, that is what the pattern had waited for.
  ///
  /// - Complexity: O(n) in the number of those.
  package func waits(of node: Int) -> [Wait] {
    guard let start = moments.ofStart[node].map({ moments[$0] }) else { return [] }
    return moments.inputs(of: start).compactMap { wait(for: $0, by: start, depth: 0) }
  }

  /// - Parameter depth: how many resumptions of the pattern have been looked through.
  private func wait(for input: Moments.Input, by moment: Moments.Moment, depth: Int) -> Wait? {
    let source = moments[input.moment]
    guard let kind = handOver(input, to: moment) else {
      guard source.kind == .resume, let binding = moments.binding(of: source),
        depth < Self.mostResumptions
      else { return nil }
      return wait(for: binding, by: source, depth: depth + 1)
    }
    let isOver = source.kind == .finish || source.kind == .cut
    return Wait(
      kind: kind, source: source.node, waiter: moment.node,
      until: isOver ? source.time : moment.time,
      position: isOver ? source.position : moment.position,
      isCut: source.kind == .cut && keptRunning(source.node, since: source.time))
  }

  /// Whether a timer went off between a time and the start of a node that came of it.
  func waitsForTimer(_ node: Int, since time: Int64) -> Bool {
    var moment = moments.ofStart[node]
    while let current = moment.map({ moments[$0] }), current.time > time {
      if current.isByTimer { return true }
      moment = moments.binding(of: current)?.moment
    }
    return false
  }

  /// How many resumptions of a pattern, each after another one, are looked through.
  private static let mostResumptions = 64

  /// What an input is called that comes from another span; nil where a pattern starts its own part.
  func handOver(_ input: Moments.Input, to moment: Moments.Moment) -> HandOver.Kind? {
    let source = moments[input.moment].node
    let isOwnPattern = input.kind == .parent && isPart(moment.node, of: source)
    return isOwnPattern || source == moment.node ? nil : HandOver.Kind(input.kind)
  }

  /// In the order of the events.
  ///
  /// - Complexity: O(n) in the number of events.
  package var edges: [Edge] {
    var edges = askers.map { asker, node in
      Edge(
        from: asker, to: node, kind: .spawned, time: nodes[node].submitted,
        position: nodes[node].submitPosition)
    }
    for moment in moments.all {
      switch moment.kind {
      case .start: addEdges(toStart: moment, &edges)
      case .resume: addEdge(toResumption: moment, &edges)
      case .finish: addEdge(toEnd: moment, &edges)
      case .cut: break
      }
    }
    // The sort is stable.
    return edges.sorted { $0.position < $1.position }
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
          time: moment.time.subtractingClamped(moment.queued), position: wait.position))
    }
  }

  private func addEdge(toResumption moment: Moments.Moment, _ edges: inout [Edge]) {
    guard let binding = moments.binding(of: moment),
      let kind = handOver(binding, to: moment).flatMap(EdgeRecord.Kind.init),
      kind == .woke || kind == .permitFrom
    else { return }
    edges.append(
      Edge(
        from: moments[binding.moment].node, to: moment.node, kind: kind, time: moment.time,
        position: moment.position))
  }

  /// A part decided how a pattern ended that had not awaited all of them.
  private func addEdge(toEnd moment: Moments.Moment, _ edges: inout [Edge]) {
    let node = nodes[moment.node]
    // Its thread may have continued since that part ended: that part need not be its binding input.
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
  /// What a record calls a wait of a step for another one; nil for a lane.
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
