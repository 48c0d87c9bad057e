/// Chooses the rows that are kept if there are too many: those that explain why the run took as long as it did.
struct RowChoice {
  private let record: RunRecord
  /// For each step, how many steps among it and the steps below it are on the critical path. Empty if no step has parts.
  private let criticalBelow: [Int32]
  private let found: Set<String>

  /// - Complexity: O(n) in the number of steps.
  init(_ record: RunRecord) {
    self.record = record
    found = Set(record.lints.lazy.map(\.step))
    guard record.steps.contains(where: { $0.parent != nil }) else {
      criticalBelow = []
      return
    }
    var critical: [Int32] = record.steps.map { $0.isCritical ? 1 : 0 }
    // Parts follow their pattern.
    for index in record.steps.indices.reversed() {
      if let parent = record.steps[index].parent { critical[parent] += critical[index] }
    }
    criticalBelow = critical
  }

  /// How many of the steps that an item represents are on the critical path.
  func criticalCount(of item: Folding.Item) -> Int {
    item.members.reduce(0) {
      $0 + (item.hidden > 0 ? criticalStepsBelow($1) : record.steps[$1].isCritical ? 1 : 0)
    }
  }

  /// How many steps among a pattern and the steps below it are on the critical path. 0 if no step has parts.
  private func criticalStepsBelow(_ pattern: Int) -> Int {
    criticalBelow.isEmpty ? 0 : Int(criticalBelow[pattern])
  }

  private enum Worth: Int { case critical, aroundCritical, wrong, other }

  /// For each item, whether it is kept. The longest steps of the critical path come first, then their enclosing
  /// patterns. Then come steps that failed or have findings, then the rest in order. If only one item is too many, it
  /// is kept as well: a line with the count would take as much room.
  ///
  /// - Complexity: O(n log n) in the number of items.
  func kept(of items: [Folding.Item], room: Int) -> [Bool] {
    guard items.count - 1 > room else { return items.map { _ in true } }
    let worths = items.map(worth)
    let order = items.indices.sorted { left, right in
      (worths[left].worth.rawValue, -worths[left].time, left)
        < (worths[right].worth.rawValue, -worths[right].time, right)
    }
    var kept = items.map { _ in false }
    for index in order.prefix(room) { kept[index] = true }
    return kept
  }

  private func worth(of item: Folding.Item) -> (worth: Worth, time: Int64) {
    let critical = item.members.filter { record.steps[$0].isCritical }
    if !critical.isEmpty {
      let time = critical.reduce(Int64(0)) {
        $0.addingClamped(max(record.steps[$1].duration ?? 0, 0))
      }
      return (.critical, time)
    }
    if item.members.contains(where: { criticalStepsBelow($0) > 0 }) { return (.aroundCritical, 0) }
    let isWrong = item.members.contains { index in
      record.steps[index].outcome == .failure || found.contains(record.steps[index].path)
    }
    return (isWrong ? .wrong : .other, 0)
  }
}
