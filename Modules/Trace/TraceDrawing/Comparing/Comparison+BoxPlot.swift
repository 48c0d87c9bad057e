extension Comparison {
  /// Box plots of all rows over one axis: whiskers, quartiles, median, outliers.
  ///
  /// ```
  ///           10ms         11ms        12ms
  /// serial    ├──▒▒▒┃▒▒──┤
  /// promise               ├───▒▒┃▒▒▒───┤  ○
  /// ├─┤ all but outliers  ▒ middle half  ┃ median  ○ outlier
  /// ```
  ///
  /// - Parameter width: in columns; no line is wider.
  /// - Returns: lines, each with its newline. Nil on the virtual clock, if no row ran more than once, or if there is
  ///   too little room.
  public func boxPlot(
    width: Int = 80, style: Timeline.Style = .unicode, color: Bool = false
  ) -> String? {
    let boxes = rows.compactMap(\.box)
    guard clock == .live, rows.contains(where: { $0.runs > 1 }),
      let low = boxes.map(\.least).min(), let high = boxes.map(\.largest).max()
    else { return nil }
    let names = rows.map { TerminalText.printable($0.name, style: style) }
    let margin = min(names.map(TerminalText.width).max() ?? 0, width / 3)
    let plot = BoxPlot(low: low, high: high, columns: min(width - margin - 2, 100), style: style)
    guard plot.columns >= 16 else { return nil }
    let indent = String(repeating: " ", count: margin + 2)
    var lines = [indent + plot.axis]
    for (row, name) in zip(rows, names) {
      let name = TerminalText.pad(TerminalText.fit(name, margin, style: style), to: margin)
      var line = row.box.map(plot.line) ?? ""
      if color, !line.isEmpty, let ink = row.verdict.ink {
        line = "\u{1B}[\(ink)m\(line)\u{1B}[0m"
      }
      lines.append(line.isEmpty ? name : name + "  " + line)
    }
    let key = BoxPlot.key(style, hasOutliers: boxes.contains { !$0.outliers.isEmpty })
    lines += TerminalText.wrap(key, separator: "  ", width, style: style)
    return lines.map { $0 + "\n" }.joined()
  }
}

/// Box plots over one axis, one line each.
private struct BoxPlot {
  let low: Double
  let high: Double
  let columns: Int
  let style: Timeline.Style

  private func column(_ value: Double) -> Int {
    guard high > low else { return columns / 2 }
    let share = min(max((value - low) / (high - low), 0), 1)
    return min(Int((share * Double(columns - 1)).rounded()), columns - 1)
  }

  private struct Ink {
    let end: (String, String)
    let line: String
    let box: String
    let median: String
    let outlier: String

    init(_ style: Timeline.Style) {
      (end, line, box, median, outlier) =
        style == .unicode
        ? (("├", "┤"), "─", "▒", "┃", "○") : (("|", "|"), "-", "=", "#", "o")
    }
  }

  /// The meaning of each character.
  static func key(_ style: Timeline.Style, hasOutliers: Bool) -> [String] {
    let ink = Ink(style)
    return [
      "\(ink.end.0)\(ink.line)\(ink.end.1) all\(hasOutliers ? " but outliers" : " values")",
      "\(ink.box) middle half", "\(ink.median) median",
    ] + (hasOutliers ? ["\(ink.outlier) outlier"] : [])
  }

  package func line(_ box: Box) -> String {
    let ink = Ink(style)
    var cells = Array(repeating: " ", count: columns)
    for outlier in box.outliers { cells[column(outlier)] = ink.outlier }
    let (first, last) = (column(box.low), column(box.high))
    for cell in first...last { cells[cell] = ink.line }
    if first < last { (cells[first], cells[last]) = ink.end }
    for cell in column(box.firstQuartile)...column(box.thirdQuartile) { cells[cell] = ink.box }
    cells[column(box.median)] = ink.median
    while cells.last == " " { cells.removeLast() }
    return cells.joined()
  }

  /// The axis: its first value, its last value, and the value in the middle.
  var axis: String {
    func text(_ value: Double) -> String {
      Int64(nearest: value).durationText
    }
    guard high > low else { return String(repeating: " ", count: columns / 2) + text(low) }
    var line = text(low)
    let (middle, end) = (text((low + high) / 2), text(high))
    let start = column((low + high) / 2) - middle.count / 2
    if start > line.count + 1, start + middle.count + end.count + 2 <= columns {
      line += String(repeating: " ", count: start - line.count) + middle
    }
    return line + String(repeating: " ", count: max(columns - line.count - end.count, 1)) + end
  }
}
