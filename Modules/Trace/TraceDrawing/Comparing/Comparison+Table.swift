extension Comparison {
  /// The comparison as a table. If a row has no verdict, a note below the table gives the reason.
  ///
  /// In a narrow window, the least informative columns are omitted.
  ///
  /// - Parameters:
  ///   - width: in columns; no line is wider.
  ///   - color: whether to use the terminal's colours.
  /// - Returns: lines, each with its newline.
  public func table(
    width: Int = 80, style: Timeline.Style = .unicode, color: Bool = false
  ) -> String {
    var columns = self.columns(style)
    // Exact values have no interval.
    if clock == .virtual {
      columns.removeAll { ["95 %", "ratio 95 %", Self.pTitle].contains($0.title) }
    }
    var lines = TextColumns(columns: columns).lines(
      width: width, style: style,
      dropping: ["ratio 95 %", Self.pTitle, "95 %", "runs", "ratio", "median"])
    if color {
      for (index, row) in rows.enumerated() {
        guard let ink = row.verdict.ink else { continue }
        lines[index + 1] = "\u{1B}[\(ink)m\(lines[index + 1])\u{1B}[0m"
      }
    }
    for row in rows {
      guard let note = row.note else { continue }
      let words = "\(row.name): \(note)".split(separator: " ").map {
        TerminalText.printable(String($0), style: style)
      }
      lines += TerminalText.wrap(words, separator: " ", max(width, 1), style: style)
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The value is corrected for the number of rows.
  private static let pTitle = "p (Holm)"

  private func columns(_ style: Timeline.Style) -> [TextColumns.Column] {
    func time(_ nanoseconds: Double?) -> String {
      guard let nanoseconds else { return "-" }
      return Int64(nearest: nanoseconds).durationText
    }
    let dots = style == .unicode ? " … " : " .. "
    return [
      .init(
        title: "", cells: rows.map { TerminalText.printable($0.name, style: style) }, isText: true),
      .init(title: "runs", cells: rows.map { String($0.runs) }),
    ]
      + (rows.contains { !$0.failures.isEmpty }
        ? [
          .init(title: "failed", cells: rows.map { String($0.failedRuns) })
        ]
        : []) + [
        .init(title: metric == "makespan" ? "median" : metric, cells: rows.map { time($0.median) }),
        .init(
          title: "95 %",
          cells: rows.map { row in
            row.interval.map { time($0.lowerBound) + dots + time($0.upperBound) } ?? "-"
          }),
        .init(title: "ratio", cells: rows.map { $0.ratio.map(decimals) ?? "-" }),
        .init(
          title: "ratio 95 %",
          cells: rows.map { row in
            guard row.verdict != .baseline, let interval = row.ratioInterval else { return "" }
            return decimals(interval.lowerBound) + dots + decimals(interval.upperBound)
          }),
        .init(title: Self.pTitle, cells: rows.map { $0.p.map(probability) ?? "" }),
        .init(title: "verdict", cells: rows.map(\.verdict.rawValue), isText: true),
      ]
  }

  private func decimals(_ number: Double) -> String {
    guard number.isFinite else { return "-" }
    guard abs(number) < 1e6 else { return number < 0 ? "< -1000000" : "> 1000000" }
    // Three decimals, so that differences that decide a verdict are visible.
    return fixed(number, 3)
  }

  private func probability(_ p: Double) -> String { p < 0.001 ? "< 0.001" : fixed(p, 3) }

  private func fixed(_ number: Double, _ places: Int) -> String {
    let scale = 1000.0
    let thousandths = Int64(nearest: number * scale)
    let fraction = String(abs(thousandths % 1000))
    return "\(thousandths / 1000)." + String(repeating: "0", count: places - fraction.count)
      + fraction
  }
}

extension Comparison.Verdict {
  var ink: String? {
    switch self {
    case .baseline, .same: nil
    case .faster: "32"
    case .slower: "31"
    case .inconclusive: "33"
    }
  }
}
