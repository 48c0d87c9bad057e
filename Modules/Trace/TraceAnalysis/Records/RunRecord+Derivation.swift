/// What a record was derived from, and the results of the derivation that the record itself does not contain.
struct Derivation: Sendable {
  /// The table of all spans. Nil if the record contains only some of the steps.
  var table: SpanTable?
  /// The critical path, the first step first.
  var critical: [CriticalPart]
  /// The delays on the critical path, in time order.
  var delays: [CriticalDelay] = []
}

extension RunRecord {
  /// The table of spans that the record was made from. Nil if the record has another origin.
  var table: SpanTable? { (derived.value as? Derivation)?.table }

  /// The node of each step. Nil if the record has another origin than a table.
  var nodes: [SpanTable.Node]? {
    guard let table else { return nil }
    let order = table.stepOrder(hasParts: table.rootHasParts)
    return order.count == steps.count ? order.map { table.nodes[$0] } : nil
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

/// A period on the critical path in which a timer delayed the next step, or the end of a pattern.
package struct CriticalDelay: Sendable, Hashable {
  /// The position of the pattern that set the timer. Nil for the run's own step.
  package var pattern: Int?
  package var from: Int64
  package var to: Int64
}

/// A step of the critical path, and why it got its turn.
package struct CriticalPart: Sendable, Hashable {
  // A path can have a million steps, so positions take four bytes.
  private let stepPosition: Int32
  private let sourcePosition: CompactOptional<Int32>
  /// When its share of the makespan begins and ends, in nanoseconds since the start of the run.
  package var from: Int64
  package var to: Int64
  /// Why `source` let it continue. Nil without a source.
  package var reason: HandOver.Kind?

  package init(
    step: Int, from: Int64, to: Int64, source: Int? = nil, reason: HandOver.Kind? = nil
  ) {
    stepPosition = Int32(clamping: step)
    (self.from, self.to) = (from, to)
    sourcePosition = CompactOptional(position: source)
    self.reason = reason
  }

  /// Its position among the steps of the record.
  package var step: Int { Int(stepPosition) }

  /// The position of the step that let it continue. Nil for the first step, or if that step is not in the record.
  ///
  /// If a pattern let it continue, the previous step on the path may be the last part of that pattern. In that case
  /// this is the position of that part.
  package var source: Int? { sourcePosition.position }

  /// Its share of the makespan, in nanoseconds.
  package var time: Int64 { to.subtractingClamped(from) }

  /// The shares do not overlap: no share begins before the end of the previous one.
  static func parts(of path: [CriticalPath.Item], in layout: StepLayout) -> [CriticalPart] {
    var parts: [CriticalPart] = []
    parts.reserveCapacity(path.count)
    for item in path {
      guard let step = layout.stepOfNode[item.node] else { continue }
      let from = max(layout.relative(item.from), parts.last?.to ?? .min)
      let cause = parts.isEmpty ? nil : item.cause
      let source = cause.flatMap { layout.stepOfNode[$0.source] }.map { source in
        parts.last.map { layout.isPart($0.step, of: source) ? $0.step : source } ?? source
      }
      parts.append(
        CriticalPart(
          step: step, from: from, to: max(layout.relative(item.to), from), source: source,
          reason: source == nil ? nil : cause?.kind))
    }
    return parts
  }
}
