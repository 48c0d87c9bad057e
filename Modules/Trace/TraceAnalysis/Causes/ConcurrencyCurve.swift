/// The number of leaf steps in flight over time. A step that takes no time is never in flight.
package struct ConcurrencyCurve {
  /// Each number, and the time from which it holds. The last number is zero unless a step did not end.
  package let points: [CounterRecord.Point]

  /// - Complexity: O(n log n) in the number of steps.
  package init(_ steps: [StepRecord]) {
    var changes: [Int64: Int] = [:]
    for step in steps where step.isLeaf {
      guard let started = step.started else { continue }
      changes[started, default: 0] += 1
      if let finished = step.finished { changes[finished, default: 0] -= 1 }
    }
    var count = 0
    points = changes.sorted { $0.key < $1.key }.compactMap { time, change in
      count += change
      return change == 0 ? nil : CounterRecord.Point(time: time, value: Double(count))
    }
  }

  /// The largest number at the same time.
  package var largest: Int { Int(points.lazy.map(\.value).max() ?? 0) }

  /// The time spans in which the number was constant, up to `end`.
  package func stretches(until end: Int64) -> [(span: Range<Int64>, count: Int)] {
    zip(points, points.dropFirst().map(\.time) + [end]).map { point, next in
      (point.time..<max(next, point.time), Int(point.value))
    }
  }
}
