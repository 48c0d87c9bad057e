/// What exports write beside a record.
extension TraceReading {
  /// The step that a node is; nil for the run's own one.
  func step(of node: Int) -> StepRecord? { steps[node].map { record.steps[$0] } }

  /// The path of a node's step; empty for no node.
  func path(of node: Int?) -> String { node.map(name) ?? "" }

  /// Where a node did its work, or else where it started; one that did neither goes with its pattern.
  func lane(of node: Int) -> Lane {
    for index in table.enclosing(node) {
      let node = table.nodes[index]
      if let lane = node.workLane ?? node.blockLane ?? node.startLane { return lane }
    }
    return table.lanes.all.first ?? .main
  }

  /// The outcome of a node as records spell it.
  func outcome(of node: Int) -> StepRecord.Outcome {
    if let step = step(of: node) { return step.outcome }
    let node = table.nodes[node]
    return node.finished == nil ? .unfinished : StepRecord.Outcome(node.outcome)
  }

  /// The path of a step in quotation marks.
  func quoted(_ node: Int) -> String { "“\(name(of: node))”" }

  /// Why a step started or ended, in words; nil if its pattern or its own code did it.
  func cause(of moment: Int?) -> String? {
    guard let moment = moment.map({ table.moments[$0] }),
      let binding = table.moments.binding(of: moment)
    else {
      return nil
    }
    let source = table.moments[binding.moment]
    let name = quoted(source.node)
    switch binding.kind {
    case .itself: return source.isByTimer && source.kind == .resume ? "its timer went off" : nil
    case .timer: return "its timer went off"
    case .end: return source.kind == .cut ? "\(name) was cancelled" : "\(name) ended"
    case .permit: return "\(name) gave a permit"
    case .wakeUp: return "\(name) woke it"
    case .lane: return "\(name) released the lane"
    case .cancellation: return "\(name) cancelled it"
    case .parent:
      return source.node == table.nodes[moment.node].parent ? nil : "\(name) asked for it"
    }
  }
}
