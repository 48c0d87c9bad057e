/// What a record was derived from, and what it does not say itself.
struct Derivation: Sendable {
  /// The table of all spans. Nil if the record contains only some of the steps.
  var table: SpanTable?
  /// The critical path, the first step first.
  var critical: [CriticalPart]
}

extension RunRecord {
  /// The table of spans that the record was made from. Nil if the record has another origin.
  var table: SpanTable? { (derived.value as? Derivation)?.table }

  /// The critical path with the time of each step, the first step first. If only the steps are known, each has all of
  /// its time, and no reason.
  package var critical: [CriticalPart] {
    get {
      if let derivation = derived.value as? Derivation { return derivation.critical }
      return steps.indices.filter { steps[$0].isCritical }.map { index in
        let from = steps[index].started ?? steps[index].submitted
        return CriticalPart(step: index, from: from, to: steps[index].finished ?? from)
      }
    }
    set { derived.value = Derivation(table: table, critical: newValue) }
  }
}

/// A step of the critical path, and why it got its turn.
package struct CriticalPart: Sendable, Hashable {
  /// Its position among the steps of the record.
  package var step: Int
  /// When its share of the makespan begins and ends, in nanoseconds since the start of the run.
  package var from: Int64
  package var to: Int64
  /// Why the step before it let it continue. Nil for the first step.
  package var reason: HandOver.Kind?

  /// Its share of the makespan, in nanoseconds.
  package var time: Int64 { to.subtractingClamped(from) }

  /// The shares do not overlap: each begins at the earliest at the end of the one before.
  static func parts(of path: [CriticalPath.Item], in layout: StepLayout) -> [CriticalPart] {
    var parts: [CriticalPart] = []
    parts.reserveCapacity(path.count)
    for item in path {
      guard let step = layout.stepOfNode[item.node] else { continue }
      let from = max(layout.relative(item.from), parts.last?.to ?? .min)
      parts.append(
        CriticalPart(
          step: step, from: from, to: max(layout.relative(item.to), from),
          reason: parts.isEmpty ? nil : item.cause?.kind))
    }
    return parts
  }
}
