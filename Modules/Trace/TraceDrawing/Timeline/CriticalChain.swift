/// The critical path as pictures name it: its steps, and the delays between them.
struct CriticalChain {
  enum Item {
    /// A step, and its share of the path.
    case step(CriticalPart)
    case delay(CriticalDelay)

    /// Its share of the makespan, in nanoseconds.
    var time: Int64 {
      switch self {
      case .step(let part): part.time
      case .delay(let delay): delay.to.subtractingClamped(delay.from)
      }
    }

    /// The step and its share. Nil for a delay.
    var part: CriticalPart? { if case .step(let part) = self { part } else { nil } }
  }

  private(set) var items: [Item] = []
  private let record: RunRecord

  /// - Complexity: O(n) in the length of the path.
  init(_ record: RunRecord) {
    self.record = record
    let critical = record.critical
    items.reserveCapacity(critical.count)
    var delays = record.criticalDelays[...]
    for part in critical {
      while let delay = delays.first, delay.to <= part.from {
        items.append(.delay(delay))
        delays.removeFirst()
      }
      items.append(.step(part))
    }
    guard !items.isEmpty else { return }
    for delay in delays { items.append(.delay(delay)) }
  }

  /// The names of all items: those of steps, or `delay 15ms`.
  ///
  /// - Complexity: O(n) in the number of steps.
  var names: [String] { names(of: items, by: CriticalNames(record)) }

  /// The names of the items that are shown.
  ///
  /// - Complexity: O(n) in the number of steps, but less than for all names.
  func names(of shown: [Item]) -> [String] {
    names(of: shown, by: CriticalNames(record, of: shown.compactMap(\.part?.step)))
  }

  private func names(of items: [Item], by names: CriticalNames) -> [String] {
    items.map { item in
      item.part.map { names[$0.step] } ?? "delay \(item.time.durationText)"
    }
  }
}
