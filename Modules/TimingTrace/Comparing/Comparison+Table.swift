internal import AsyncPatterns

extension Comparison {
  /// The comparison as a table, with a note below it where a verdict was refused.
  ///
  /// Where the window is narrow the least telling columns are left out.
  ///
  /// - Parameters:
  ///   - width: in columns; no line is wider.
  ///   - color: whether to use the terminal's colours.
  /// - Returns: lines, each with its newline.
  public func table(
    width: Int = 80, style: Timeline.Style = .unicode, color: Bool = false
  ) -> String {
    var columns = self.columns(style)
    // What is exact has no interval.
    if clock == .virtual { columns.removeAll { ["95 %", "ratio 95 %", "p"].contains($0.title) } }
    // The least telling first.
    for name in ["ratio 95 %", "p", "95 %", "runs", "ratio", "median"] {
      guard total(columns) > width else { break }
      columns.removeAll { $0.title == name }
    }
    let excess = total(columns) - width
    if excess > 0 {
      let names = columns[0].width - excess
      columns[0].cells = columns[0].cells.map {
        TerminalText.fit($0, max(names, 4), style: style)
      }
    }
    var lines = [line(columns.map { ($0.title, $0) })]
    for index in rows.indices { lines.append(line(columns.map { ($0.cells[index], $0) })) }
    lines = lines.map { TerminalText.fit($0, max(width, 1), style: style) }
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

  private struct Column {
    var title: String
    var cells: [String]
    var isText = false

    var width: Int { (cells + [title]).map(TerminalText.width).max() ?? 0 }
  }

  private func columns(_ style: Timeline.Style) -> [Column] {
    func time(_ nanoseconds: Double?) -> String {
      guard let nanoseconds else { return "-" }
      return Duration.nanoseconds(Int64(nanoseconds.rounded())).shortDescription
    }
    let dots = style == .unicode ? " … " : " .. "
    return [
      Column(
        title: "", cells: rows.map { TerminalText.printable($0.name, style: style) }, isText: true),
      Column(title: "runs", cells: rows.map { String($0.runs) }),
      Column(title: metric == "makespan" ? "median" : metric, cells: rows.map { time($0.median) }),
      Column(
        title: "95 %",
        cells: rows.map { row in
          row.interval.map { time($0.lowerBound) + dots + time($0.upperBound) } ?? "-"
        }),
      Column(title: "ratio", cells: rows.map { $0.ratio.map(decimals) ?? "-" }),
      Column(
        title: "ratio 95 %",
        cells: rows.map { row in
          guard row.verdict != .baseline, let interval = row.ratioInterval else { return "" }
          return decimals(interval.lowerBound) + dots + decimals(interval.upperBound)
        }),
      Column(title: "p", cells: rows.map { $0.p.map(probability) ?? "" }),
      Column(title: "verdict", cells: rows.map(\.verdict.rawValue), isText: true),
    ]
  }

  private func total(_ columns: [Column]) -> Int {
    columns.reduce(0) { $0 + $1.width } + 2 * (columns.count - 1)
  }

  private func line(_ cells: [(String, Column)]) -> String {
    let line = cells.map { text, column in
      column.isText
        ? TerminalText.pad(text, to: column.width) : TerminalText.padLeft(text, to: column.width)
    }.joined(separator: "  ")
    return String(line.reversed().drop { $0 == " " }.reversed())
  }

  private func decimals(_ number: Double) -> String {
    guard number.isFinite, number < 1e6 else { return "> 1000000" }
    // Differences that decide a verdict should be seen.
    return fixed(number, 3)
  }

  private func probability(_ p: Double) -> String { p < 0.001 ? "< 0.001" : fixed(p, 3) }

  private func fixed(_ number: Double, _ places: Int) -> String {
    let scale = 1000.0
    let thousandths = Int64((number * scale).rounded())
    let fraction = String(thousandths % 1000)
    return "\(thousandths / 1000)." + String(repeating: "0", count: places - fraction.count)
      + fraction
  }
}

extension Comparison.Verdict {
  fileprivate var ink: String? {
    switch self {
    case .baseline, .same: nil
    case .faster: "32"
    case .slower: "31"
    case .inconclusive: "33"
    }
  }
}
