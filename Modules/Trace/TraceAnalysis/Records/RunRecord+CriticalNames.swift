extension RunRecord {
  /// How many patterns around a step can stand in its name.
  private static let mostPatterns = 8

  /// The names of the steps of the critical path, by their positions. In front of the same label of different steps are
  /// the patterns that tell them apart: `first/page`, `second/page`.
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
        // The same pattern around all of them tells none apart.
        guard Set(patterns).count > 1 else { continue }
        for (step, pattern) in zip(group, patterns) {
          if let pattern { names[step] = pattern + "/" + names[step, default: ""] }
        }
      }
    }
    return names
  }
}
