extension RunRecord {
  /// How many patterns around a step can be in its name.
  private static let mostPatterns = 8

  /// The names of the steps of the critical path, by their positions. If several steps have the same label, each name
  /// starts with the patterns that distinguish the step: `first/page`, `second/page`.
  ///
  /// - Complexity: O(n) in the length of the path.
  package var criticalNames: [Int: String] {
    let path = Set(critical.map(\.step))
    var names = Dictionary(uniqueKeysWithValues: path.map { ($0, steps[$0].numberedLabel) })
    for group in Dictionary(grouping: path, by: { steps[$0].numberedLabel }).values {
      var around = group.map { steps[$0].parent }
      for _ in 0..<Self.mostPatterns {
        if Set(group.map { names[$0] }).count == group.count { break }
        let patterns = around.map { $0.map { steps[$0].numberedLabel } }
        around = around.map { $0.flatMap { steps[$0].parent } }
        // A pattern around all of them distinguishes none.
        guard Set(patterns).count > 1 else { continue }
        for (step, pattern) in zip(group, patterns) {
          if let pattern { names[step] = pattern + "/" + names[step, default: ""] }
        }
      }
    }
    return names
  }
}
