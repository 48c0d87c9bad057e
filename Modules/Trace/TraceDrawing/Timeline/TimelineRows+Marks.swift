extension TimelineRows {
  /// The arrows between rows, in the order of the critical path. A step needs no arrow from a step in its own row.
  ///
  /// - Complexity: O(n) in the number of steps of the rows.
  func makeArrows() -> [RowArrow] {
    guard rows.count > 1 else { return [] }
    let rowOfStep = rowOfStep
    let parts = record.critical
    return parts.indices.compactMap { index in
      let part = parts[index]
      guard let reason = part.reason, let source = parts.source(of: index),
        let from = rowOfStep[source],
        let to = rowOfStep[part.step], from != to
      else { return nil }
      // A step may be on the path several times, and let another one continue while it runs.
      let before = index > 0 && parts[index - 1].step == source ? parts[index - 1].to : nil
      let end = before ?? min(record.steps[source].finished ?? part.from, part.from)
      return RowArrow(
        from: from, to: to, label: record.steps[source].numberedLabel, reason: reason, end: end,
        start: max(part.from, end))
    }
  }

  private var rowOfStep: OptionalPositions {
    var rowOfStep = OptionalPositions(count: record.steps.count)
    for (index, row) in rows.enumerated() {
      for step in row.steps { rowOfStep[step] = index }
    }
    return rowOfStep
  }

  /// Marks the first findings of the record in the rows of their steps, at the times at which they happened.
  mutating func markFindings(_ most: Int) {
    let lints = record.lints.prefix(most)
    guard !lints.isEmpty else { return }
    var rowsOfPath: [String: [Int]] = [:]
    for (index, row) in rows.enumerated() {
      if row.steps.isEmpty { rowsOfPath[row.label, default: []].append(index) }
      for step in row.steps { rowsOfPath[record.steps[step].path, default: []].append(index) }
    }
    for (number, lint) in zip(1..., lints) {
      for (path, time) in zip(lint.steps, lint.times) {
        // If a step was started several times, its first start stands for all.
        guard let row = rowsOfPath[path]?.first, !rows[row].findings.contains(number) else {
          continue
        }
        rows[row].marks.append(.init(kind: .finding(number), time: time))
      }
    }
  }
}
