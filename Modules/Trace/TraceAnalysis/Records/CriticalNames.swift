/// The names of the steps of a critical path. If several steps have the same label, each name starts with the patterns
/// that distinguish the step: `first/page`, `second/page`.
package struct CriticalNames {
  /// How many patterns around a step can be in its name.
  private static let mostPatterns = 8

  private let steps: [StepRecord]
  /// The names that are not just the label, by the positions of their steps.
  private var longer: [Int: String] = [:]

  /// - Parameter shown: the few steps whose names are needed; nil for all.
  /// - Complexity: O(n) in the number of steps, for each step that is shown.
  package init(_ record: RunRecord, of shown: [Int]? = nil) {
    steps = record.steps
    let labels = shown.map { shown in shown.map { record.steps[$0].numberedLabel } }
    for group in groupsOfSameLabel(on: record.critical, among: labels).values { distinguish(group) }
  }

  /// The name of the step at a position.
  package subscript(step: Int) -> String { longer[step] ?? steps[step].numberedLabel }

  /// The steps of the path that share one of the labels with another step, by label.
  private func groupsOfSameLabel(
    on path: [CriticalPart], among wanted: [String]?
  ) -> [String: [Int]] {
    // Usually no two labels are the same. Then nothing needs to be grouped.
    var isOnPath = Array(repeating: false, count: steps.count)
    var labels: Set<String> = Set(minimumCapacity: wanted?.count ?? path.count)
    var shared: Set<String> = []
    for part in path where !isOnPath[part.step] {
      isOnPath[part.step] = true
      let label = steps[part.step].numberedLabel
      // Few labels are wanted: comparing them is faster than hashing each label of the path.
      if let wanted, !wanted.contains(label) { continue }
      if !labels.insert(label).inserted { shared.insert(label) }
    }
    guard !shared.isEmpty else { return [:] }
    let sharing = steps.indices.filter {
      isOnPath[$0] && shared.contains(steps[$0].numberedLabel)
    }
    return Dictionary(grouping: sharing) { steps[$0].numberedLabel }
  }

  private mutating func distinguish(_ group: [Int]) {
    var around = group.map { steps[$0].parent }
    for _ in 0..<Self.mostPatterns {
      if Set(group.map { self[$0] }).count == group.count { break }
      let patterns = around.map { $0.map { steps[$0].numberedLabel } }
      around = around.map { $0.flatMap { steps[$0].parent } }
      // A pattern around all of them distinguishes none.
      guard Set(patterns).count > 1 else { continue }
      for (step, pattern) in zip(group, patterns) {
        if let pattern { longer[step] = pattern + "/" + self[step] }
      }
    }
  }
}
