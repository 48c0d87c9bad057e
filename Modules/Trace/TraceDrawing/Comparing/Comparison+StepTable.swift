extension Comparison {
  /// The steps of a row that changed most compared with the baseline, and the steps without a match.
  ///
  /// On the live clock, the table contains only steps with a verdict and steps whose duration may have changed by more
  /// than the threshold.
  ///
  /// - Parameters:
  ///   - name: the name of the row.
  ///   - most: the maximum number of steps.
  ///   - width: in columns; no line is wider.
  /// - Returns: lines, each with its newline. Nil if there is nothing to show.
  public func stepTable(
    of name: String, most: Int = 10, width: Int = 80, style: Timeline.Style = .unicode,
    color: Bool = false
  ) -> String? {
    let all = steps.filter { $0.name == name && (clock == .virtual || $0.matters(threshold)) }
    var lines: [String] = []
    if !all.isEmpty {
      let shown = Array(all.prefix(most))
      lines.append(TerminalText.fit("steps that changed most:", width, style: style))
      let table = TextColumns(columns: columns(shown, style)).lines(
        width: width, style: style, dropping: ["wait", "start", "verdict", "duration"])
      lines.append(table[0])
      for (row, line) in zip(shown, table.dropFirst()) {
        let ink = color ? row.ink : nil
        lines.append(ink.map { "\u{1B}[\($0)m\(line)\u{1B}[0m" } ?? line)
      }
      if all.count > shown.count {
        lines.append(TerminalText.fit("and \(all.count - shown.count) more", width, style: style))
      }
    }
    lines += unmatchedLines(of: name, width: width, style: style)
    return lines.isEmpty ? nil : lines.map { $0 + "\n" }.joined()
  }

  private func unmatchedLines(of name: String, width: Int, style: Timeline.Style) -> [String] {
    guard let baseline = rows.first?.name else { return [] }
    let sides = [(baseline, name), (name, baseline)]
    return sides.flatMap { side, other -> [String] in
      let alone = unmatched.filter { $0.side == side && $0.missingIn == other }
      guard !alone.isEmpty else { return [] }
      let names = alone.prefix(20).map {
        TerminalText.printable(
          $0.start > 1 ? "\($0.path) (start \($0.start))" : $0.path, style: style)
      }
      var words = "only in \(TerminalText.printable(side, style: style)):".split(separator: " ")
        .map(String.init)
      words += names.enumerated().map {
        $0.offset == names.count - 1 ? $0.element : $0.element + ","
      }
      if alone.count > names.count { words.append("and \(alone.count - names.count) more") }
      return TerminalText.wrap(words, separator: " ", max(width, 1), style: style)
    }
  }

  private func columns(_ rows: [StepRow], _ style: Timeline.Style) -> [TextColumns.Column] {
    let arrow = style == .unicode ? " → " : " -> "
    func time(_ value: Double?) -> String {
      guard let value else { return "-" }
      // On the virtual clock every nanosecond matters.
      let whole = Int64(nearest: value)
      return clock == .virtual
        ? StructuralDifference.clock(whole) : whole.durationText
    }
    func text(_ measure: Measure) -> String {
      let (one, other) = (time(measure.baseline), time(measure.candidate))
      return one == other ? one : one + arrow + other
    }
    return [
      .init(
        title: "step",
        cells: rows.map { row in
          var name = row.otherPath.map { row.path + arrow + $0 } ?? row.path
          if row.start > 1 { name += " (start \(row.start))" }
          return TerminalText.printable(name, style: style)
        }, isText: true),
      .init(title: "start", cells: rows.map { text($0.started) }, isText: true),
      .init(title: "duration", cells: rows.map { text($0.duration) }, isText: true),
      .init(title: "wait", cells: rows.map { text($0.wait) }, isText: true),
      .init(title: "verdict", cells: rows.map(\.words), isText: true),
    ]
  }
}

extension Comparison.StepRow {
  private typealias Words = (measure: Comparison.Measure, less: String, more: String)

  private var measures: [Words] {
    [
      (duration, "faster", "slower"), (wait, "waits less", "waits longer"),
      (started, "earlier", "later"),
    ]
  }

  /// The verdicts of the step: `slower, later`.
  fileprivate var words: String {
    let decided = measures.compactMap { words -> String? in
      switch words.measure.verdict {
      case .faster: words.less
      case .slower: words.more
      default: nil
      }
    }
    if !decided.isEmpty { return decided.joined(separator: ", ") }
    let isSame = measures.allSatisfy { $0.measure.verdict == .same }
    return isSame ? "same" : "inconclusive"
  }

  fileprivate var ink: String? { duration.verdict.ink ?? wait.verdict.ink }

  /// Whether the step has a verdict, or its duration may have changed by more than the threshold.
  fileprivate func matters(_ threshold: Double) -> Bool {
    if measures.contains(where: { [.faster, .slower].contains($0.measure.verdict) }) {
      return true
    }
    guard duration.verdict != .same else { return false }
    guard let one = duration.baseline, let other = duration.candidate else {
      return duration.baseline != duration.candidate
    }
    return abs(quotient(other, one) - 1) > threshold
  }
}
