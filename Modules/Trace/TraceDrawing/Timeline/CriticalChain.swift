/// The critical path as pictures name it: its steps, and the delays between them.
struct CriticalChain {
  struct Item {
    /// The name of a step, or `delay 15ms`.
    var name: String
    /// Its share of the makespan, in nanoseconds.
    var time: Int64
    /// The position of the step in the record. Nil for a delay.
    var step: Int?
  }

  private(set) var items: [Item] = []

  /// - Complexity: O(n) in the length of the path and the number of delays.
  init(_ record: RunRecord) {
    var delays = record.intervals.filter { $0.kind == .delay }[...]
    var time: Int64 = 0
    /// Adds the longest delay between two steps.
    func addDelay(until end: Int64) {
      var longest: IntervalRecord?
      while let delay = delays.first, delay.from < end {
        delays.removeFirst()
        guard delay.from >= time, delay.to <= end else { continue }
        if delay.to - delay.from > longest.map({ $0.to - $0.from }) ?? 0 { longest = delay }
      }
      guard let longest else { return }
      let length = longest.to.subtractingClamped(longest.from)
      items.append(
        Item(name: "delay \(Duration.nanoseconds(length).shortDescription)", time: length))
    }
    for part in record.critical {
      addDelay(until: part.from)
      items.append(
        Item(name: record.steps[part.step].numberedLabel, time: part.time, step: part.step))
      time = max(time, part.to)
    }
    if !items.isEmpty { addDelay(until: record.makespan) }
  }
}
