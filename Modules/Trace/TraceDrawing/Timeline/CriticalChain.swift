/// The critical path as pictures name it: its steps, and the delays between them.
///
/// The items are made while they are read, because the path can have a million steps.
struct CriticalChain: RandomAccessCollection {
  enum Item {
    /// A step, its share of the path, and the position of the step that let it continue.
    case step(CriticalPart, source: Int?)
    case delay(CriticalDelay)

    /// Its share of the makespan, in nanoseconds.
    var time: Int64 {
      switch self {
      case .step(let part, _): part.time
      case .delay(let delay): delay.to.subtractingClamped(delay.from)
      }
    }

    /// The step and its share. Nil for a delay.
    var part: CriticalPart? { if case .step(let part, _) = self { part } else { nil } }
    /// The position of the step that let it continue, if there is one.
    var source: Int? { if case .step(_, let source) = self { source } else { nil } }
  }

  private let record: RunRecord
  private let steps: [CriticalPart]
  /// The delays, each with its position among the items.
  private let delays: [(position: Int, delay: CriticalDelay)]

  /// - Complexity: O(d log n) for d delays in a path of n steps.
  init(_ record: RunRecord) {
    self.record = record
    let steps = record.critical
    self.steps = steps
    let all = steps.isEmpty ? [] : record.criticalDelays
    var before = 0
    delays = all.enumerated().map { number, delay in
      // Never less than for the delay before it: imported events may have any times.
      before = Swift.max(before, steps.firstIndexBeyond { $0.from >= delay.to })
      return (number + before, delay)
    }
  }

  var startIndex: Int { 0 }
  var endIndex: Int { steps.count + delays.count }

  subscript(position: Int) -> Item {
    let before = delays.firstIndexBeyond { $0.position >= position }
    if before < delays.count, delays[before].position == position {
      return .delay(delays[before].delay)
    }
    return .step(steps[position - before], source: steps.source(of: position - before))
  }

  /// The names of all items: those of steps, or `delay 15ms`.
  ///
  /// - Complexity: O(n) in the number of steps.
  var names: [String] { names(of: Array(self), by: CriticalNames(record)) }

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
