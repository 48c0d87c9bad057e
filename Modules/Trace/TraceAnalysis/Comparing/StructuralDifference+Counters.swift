extension StructuralDifference {
  /// The first difference in the recorded counters, counter by counter.
  static func counters(_ first: RunRecord, _ second: RunRecord) -> StructuralDifference? {
    guard let (one, other) = differingCounters(first, second) else { return nil }
    guard let points = DifferingPoints(one, other) else {
      return .init(
        kind: .counter, path: nil, first: text(one), second: text(other),
        time: one?.points.first?.time ?? other?.points.first?.time, lane: nil)
    }
    return points.difference
  }

  /// The entries of both runs where they differ, if the difference is in the points of a counter that both have.
  static func counterSides(
    _ first: RunRecord, _ second: RunRecord
  ) -> (first: Divergence.Entry, second: Divergence.Entry)? {
    guard let (one, other) = differingCounters(first, second),
      let points = DifferingPoints(one, other)
    else { return nil }
    return (points.entry(points.first), points.entry(points.second))
  }

  private static func differingCounters(
    _ first: RunRecord, _ second: RunRecord
  ) -> (CounterRecord?, CounterRecord?)? {
    guard first.counters != second.counters else { return nil }
    let names = StepNames(first, second)
    for index in 0..<max(first.counters.count, second.counters.count) {
      let one = first.counters.indices.contains(index) ? first.counters[index] : nil
      var other = second.counters.indices.contains(index) ? second.counters[index] : nil
      if let one, let step = other?.step, names.areSame(one.step, step) { other?.step = one.step }
      if one != other { return (one, other) }
    }
    return nil
  }

  private static func text(_ counter: CounterRecord?) -> String {
    counter.map { "“\($0.step)” recorded “\($0.name)”" } ?? "no further counter"
  }
}

/// The first points in which two records of one counter differ. A point is nil if its record has no further point.
private struct DifferingPoints {
  let counter: CounterRecord
  let first: CounterRecord.Point?
  let second: CounterRecord.Point?

  /// Returns nil if the two records do not belong to the same counter.
  init?(_ one: CounterRecord?, _ other: CounterRecord?) {
    guard let one, let other, one.name == other.name, one.step == other.step else { return nil }
    let shared = zip(one.points, other.points).prefix { $0 == $1 }.count
    counter = one
    first = one.points.indices.contains(shared) ? one.points[shared] : nil
    second = other.points.indices.contains(shared) ? other.points[shared] : nil
  }

  /// The text includes the times only if they differ.
  var difference: StructuralDifference {
    let isSameTime = first?.time == second?.time
    func text(_ point: CounterRecord.Point) -> String {
      "\(point.value)" + (isSameTime ? "" : " at \(StructuralDifference.clock(point.time))")
    }
    let recorded = "recorded “\(counter.name)”"
    return StructuralDifference(
      kind: .counter, path: counter.step,
      first: first.map { "\(recorded) as \(text($0))" } ?? "recorded no more “\(counter.name)”",
      second: second.map { "\(first == nil ? "recorded it " : "")as \(text($0))" } ?? "no more",
      time: [first?.time, second?.time].compactMap(\.self).min(), lane: nil)
  }

  /// The value comes first, since the end of the text may be truncated.
  func entry(_ point: CounterRecord.Point?) -> Divergence.Entry {
    Divergence.Entry(
      time: point?.time,
      text: point.map { "recorded \($0.value) as “\(counter.name)”" } ?? "nothing more")
  }
}
