extension StructuralDifference {
  /// The first difference in what steps recorded of things that change, counter by counter.
  static func counters(_ first: RunRecord, _ second: RunRecord) -> StructuralDifference? {
    for index in 0..<max(first.counters.count, second.counters.count) {
      let one = first.counters.indices.contains(index) ? first.counters[index] : nil
      let other = second.counters.indices.contains(index) ? second.counters[index] : nil
      guard one != other else { continue }
      guard let one, let other, one.name == other.name, one.step == other.step else {
        return .init(
          kind: .counter, path: nil, first: text(one), second: text(other),
          time: one?.points.first?.time ?? other?.points.first?.time, lane: nil)
      }
      return points(of: one, other)
    }
    return nil
  }

  private static func text(_ counter: CounterRecord?) -> String {
    counter.map { "“\($0.step)” recorded “\($0.name)”" } ?? "no further counter"
  }

  private static func points(
    of one: CounterRecord, _ other: CounterRecord
  ) -> StructuralDifference? {
    func text(_ point: CounterRecord.Point?) -> String {
      point.map { "\($0.value) at \(clock($0.time))" } ?? "nothing more"
    }
    for index in 0..<max(one.points.count, other.points.count) {
      let left = one.points.indices.contains(index) ? one.points[index] : nil
      let right = other.points.indices.contains(index) ? other.points[index] : nil
      guard left != right else { continue }
      return .init(
        kind: .counter, path: one.step, first: "recorded “\(one.name)” as \(text(left))",
        second: "as \(text(right))", time: [left?.time, right?.time].compactMap(\.self).min(),
        lane: nil)
    }
    return nil
  }
}
