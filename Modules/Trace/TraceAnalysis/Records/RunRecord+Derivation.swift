/// What a record was derived from, and the results of the derivation that the record itself does not contain.
struct Derivation: Sendable {
  /// The table of all spans. Nil if the record contains only some of the steps.
  var table: SpanTable?
  /// The time of the events from which the times of the record count.
  var origin: Int64?
  /// The critical path, the first step first.
  var critical: [CriticalPart]
  /// The delays on the critical path, in time order.
  var delays: [CriticalDelay] = []
}

extension RunRecord {
  /// The table of spans that the record was made from. Nil if the record has another origin.
  var table: SpanTable? { (derived.value as? Derivation)?.table }

  /// The node of each step. Nil if the record has another origin than a table.
  var nodes: [Int]? {
    guard let table else { return nil }
    let order = table.stepOrder(hasParts: table.rootHasParts)
    return order.count == steps.count ? order : nil
  }

  /// The critical path with the time of each step, the first step first. If only the steps are known, each part has the
  /// whole time of its step, and no reason.
  package var critical: [CriticalPart] {
    if let derivation = derived.value as? Derivation { return derivation.critical }
    return steps.indices.filter { steps[$0].isCritical }.map { index in
      let from = steps[index].started ?? steps[index].submitted
      return CriticalPart(step: index, from: from, to: steps[index].finished ?? from)
    }
  }

  /// The periods on the critical path in which a timer of a pattern delayed the next step, or the end of the pattern.
  package var criticalDelays: [CriticalDelay] {
    (derived.value as? Derivation)?.delays ?? []
  }
}
