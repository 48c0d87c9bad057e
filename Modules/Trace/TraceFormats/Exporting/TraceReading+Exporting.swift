/// Values that exports write in addition to a record.
extension TraceReading {
  /// The step of a node. Nil for the run's own step.
  func step(of node: Int) -> StepRecord? { steps[node].map { record.steps[$0] } }

  /// The path of a node's step. Empty without a node.
  func path(of node: Int?) -> String { node.map(name) ?? "" }

  /// The lane on which a node last worked. Without work, the lane that was last blocked for it, or else the lane on
  /// which it started. A node without any of these has the lane of its pattern.
  func lane(of node: Int) -> Lane {
    for index in table.enclosing(node) {
      if let lane = table.lane(of: index) { return lane }
    }
    return table.lanes.all.first ?? .main
  }

  /// The outcome of a node, as in records.
  func outcome(of node: Int) -> StepRecord.Outcome {
    if let step = step(of: node) { return step.outcome }
    return table.finishTime(of: node) == nil
      ? .unfinished : StepRecord.Outcome(table.nodes[node].outcome)
  }

  /// The path of a step in quotation marks.
  func quoted(_ node: Int) -> String { "“\(name(of: node))”" }

  /// Why a step started or ended, in words. Nil if its pattern or its own code caused it.
  func cause(of moment: Int?) -> String? {
    guard let moment = moment.map({ table.moments[$0] }),
      let binding = moment.binding
    else {
      return nil
    }
    let source = table.moments[binding.moment]
    let name = quoted(source.node)
    switch binding.kind {
    case .itself: return source.isByTimer && source.kind == .resume ? "its timer fired" : nil
    case .timer: return "its timer fired"
    case .end: return source.kind == .cancellation ? "\(name) was cancelled" : "\(name) ended"
    case .permit: return "\(name) gave a permit"
    case .wakeUp: return "\(name) woke it"
    case .lane: return "\(name) released the lane"
    case .cancellation: return "\(name) cancelled it"
    case .parent:
      return source.node == table.nodes[moment.node].parent ? nil : "\(name) requested it"
    }
  }
}
