extension RunRecord {
  /// The same record with only the unfinished steps and their enclosing patterns, and the intervals and counters of
  /// these steps. The other values remain those of the whole run.
  ///
  /// - Complexity: O(n) in the number of steps.
  public var unfinished: RunRecord {
    var isKept = steps.map { $0.finished == nil && $0.outcome != .skipped }
    // Parts follow their pattern.
    for index in steps.indices.reversed() where isKept[index] {
      if let parent = steps[index].parent { isKept[parent] = true }
    }
    var part = self
    part.steps = []
    var positions: [Int?] = []
    for (step, isKept) in zip(steps, isKept) {
      positions.append(isKept ? part.steps.count : nil)
      guard isKept else { continue }
      part.steps.append(step)
      part.steps[part.steps.count - 1].parent = step.parent.flatMap { positions[$0] }
    }
    // The critical path contains steps that are left out here.
    part.derived.value = Derivation(table: nil, critical: [])
    let paths = Set(part.steps.lazy.map(\.path))
    part.intervals = intervals.compactMap { interval in
      guard let position = interval.position.flatMap({ positions[$0] }) else { return nil }
      var interval = interval
      interval.position = position
      return interval
    }
    part.counters.removeAll { !paths.contains($0.step) }
    return part
  }
}
