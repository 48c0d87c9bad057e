/// The critical path as pictures name it: its steps, and the delays between them.
struct CriticalChain {
  struct Item {
    /// The name of a step, or `delay 15ms`.
    var name: String
    /// Its share of the makespan, in nanoseconds.
    var time: Int64
    /// The step and its share. Nil for a delay.
    var part: CriticalPart?
  }

  private(set) var items: [Item] = []

  /// - Complexity: O(n) in the length of the path.
  init(_ record: RunRecord) {
    let names = CriticalNames(record)
    var delays = record.criticalDelays[...]
    for part in record.critical {
      while let delay = delays.first, delay.to <= part.from {
        add(delay)
        delays.removeFirst()
      }
      items.append(Item(name: names[part.step], time: part.time, part: part))
    }
    guard !items.isEmpty else { return }
    for delay in delays { add(delay) }
  }

  private mutating func add(_ delay: CriticalDelay) {
    let length = delay.to.subtractingClamped(delay.from)
    items.append(Item(name: "delay \(length.durationText)", time: length))
  }
}
