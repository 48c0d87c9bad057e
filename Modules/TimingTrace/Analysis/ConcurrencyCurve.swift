/// How many leaf steps were in flight when.
struct ConcurrencyCurve {
  /// Each number since when; the first at the first start, the last none unless something did not end.
  let points: [CounterRecord.Point]

  /// - Complexity: O(n log n) in the number of steps.
  init(_ record: RunRecord) {
    var changes: [Int64: Int] = [:]
    for step in record.steps where step.isLeaf {
      guard let started = step.started else { continue }
      changes[started, default: 0] += 1
      if let finished = step.finished { changes[finished, default: 0] -= 1 }
    }
    var count = 0
    points = changes.keys.sorted().map { time in
      count += changes[time] ?? 0
      return CounterRecord.Point(time: time, value: Double(count))
    }
  }
}
