extension Divergence {
  /// The two runs in two columns. Rows that differ are marked.
  ///
  /// - Parameters:
  ///   - names: the titles of the columns.
  ///   - width: in columns of the terminal; no line is wider.
  /// - Returns: lines, each with its newline.
  public func text(
    _ names: (first: String, second: String), width: Int = 80, style: Timeline.Style = .unicode,
    color: Bool = false
  ) -> String {
    let bar = style == .unicode ? "│" : "|"
    let sign = style == .unicode ? "≠" : "!"
    let times = rows.flatMap { [$0.first, $0.second] }.map { Self.time($0) }
    let margin = times.map(TerminalText.width).max() ?? 0
    func cell(_ entry: Entry?) -> String {
      guard let entry else { return "nothing more" }
      // The event comes first, since a long line is shortened at its end.
      var words = entry.text.split(separator: " ", maxSplits: 1).map(String.init)
      if let step = entry.step { words.insert(step, at: min(1, words.count)) }
      let text = TerminalText.printable(words.joined(separator: " "), style: style)
      return margin == 0
        ? text : TerminalText.padLeft(Self.time(entry), to: margin) + "  " + text
    }
    let cells = rows.map { (cell($0.first), cell($0.second)) }
    // The mark and a space before the first column, and a space on either side of the bar.
    let room = max((width - 5) / 2, 1)
    let heads = [names.first, names.second].map { TerminalText.printable($0, style: style) }
    let widest = ([heads[0]] + cells.map(\.0)).map(TerminalText.width).max() ?? 0
    let column = min(widest, room)
    func line(_ mark: String, _ first: String, _ second: String) -> String {
      let left = TerminalText.pad(TerminalText.fit(first, column, style: style), to: column)
      let right = TerminalText.fit(second, max(width - column - 5, 1), style: style)
      return TerminalText.fit("\(mark) \(left) \(bar) \(right)", max(width, 1), style: style)
    }
    var lines = [line(" ", heads[0], heads[1])]
    for (row, cell) in zip(rows, cells) {
      let line = line(row.isDifferent ? sign : " ", cell.0, cell.1)
      lines.append(color && row.isDifferent ? "\u{1B}[33m\(line)\u{1B}[0m" : line)
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func time(_ entry: Entry?) -> String {
    entry?.time.map { StructuralDifference.clock($0) } ?? ""
  }
}
