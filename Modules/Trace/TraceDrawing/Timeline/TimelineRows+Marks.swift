extension TimelineRows {
  /// The arrows between rows, in the order of the critical path. A step in the row of the step before needs none.
  ///
  /// - Complexity: O(n) in the number of steps of the rows.
  func makeArrows() -> [RowArrow] {
    let rowOfStep = rowOfStep
    let parts = record.critical
    return parts.indices.compactMap { index in
      let part = parts[index]
      guard let reason = part.reason, let source = part.source, let from = rowOfStep[source],
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

  private var rowOfStep: [Int: Int] {
    var rowOfStep: [Int: Int] = [:]
    for (index, row) in rows.enumerated() {
      for step in row.steps { rowOfStep[step] = index }
    }
    return rowOfStep
  }

  /// Marks the first findings of the record in the rows of their steps, at the places that they explain.
  mutating func markFindings(_ most: Int) {
    let lints = record.lints.prefix(most)
    guard !lints.isEmpty else { return }
    var rowsOfPath: [String: [Int]] = [:]
    for (index, row) in rows.enumerated() {
      if row.steps.isEmpty { rowsOfPath[row.label, default: []].append(index) }
      for step in row.steps { rowsOfPath[record.steps[step].path, default: []].append(index) }
    }
    for (number, lint) in zip(1..., lints) {
      for path in lint.steps {
        // If a step was started several times, its first start stands for all.
        guard let row = rowsOfPath[path]?.first, !rows[row].findings.contains(number) else {
          continue
        }
        let time = place(of: lint.rule, at: path, in: rows[row])
        rows[row].marks.append(.init(kind: .finding(number), time: time))
      }
    }
  }

  /// When the thing happened in a step that a finding is about.
  private func place(of rule: String, at path: String, in row: TimelineRow) -> Int64 {
    let blocked = record.intervals.first { $0.kind == .blocked && $0.step == path }?.from
    guard let step = row.steps.first(where: { record.steps[$0].path == path }) else {
      return blocked ?? row.stretches.first?.from ?? 0
    }
    let found = record.steps[step]
    let end = found.finished ?? record.makespan
    return switch rule {
    case "blocked-thread", "thread-explosion": blocked ?? found.started ?? found.submitted
    case "late-cancel": found.cancelled ?? end
    case "starvation", "priority-inversion": found.submitted
    default: end
    }
  }
}
