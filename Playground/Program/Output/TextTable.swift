import TimingTrace

/// Text in columns. Each column is as wide as its widest cell.
struct TextTable {
  /// The headings of the columns. If all are empty, there is no heading line.
  var columns: [String]
  var rows: [[String]]
  /// The column that can be shortened if lines would be too wide, and the sign for the text that is left out.
  var shortened: (column: Int, sign: String)?
  /// The headings of the columns that are left out if lines would be too wide. The first one is left out first.
  var optional: [String] = []

  /// A narrower column would show too little. The last column needs more room, since it has sentences.
  private static let leastWidth = 12
  private static let leastWidthOfLast = 24

  var text: String { text(width: nil) }

  /// The rows without characters that break a line or control a terminal: a cell may be a label that a user wrote.
  private var cells: [[String]] {
    rows.map { row in row.map { TerminalText.printable($0, style: .unicode) } }
  }

  /// The table. Text in the last column that is too long for `width` is broken between words. A line is wider than
  /// `width` only if the column would be too narrow for words, or if a word is too long.
  func text(width: Int?) -> String {
    if let width, let least = optional.first, leastLineWidth > width {
      return without(least).text(width: width)
    }
    let rows = width.map(fitted) ?? cells
    let isHeaded = columns.contains { !$0.isEmpty }
    let all = (isHeaded ? [columns] : []) + rows
    let widths = columns.indices.map { column in
      all.map { TerminalText.width($0[column]) }.max() ?? 0
    }
    let margin = widths.dropLast().reduce(0) { $0 + $1 + 2 }
    // A line that is too long is better than a column that is too narrow for words.
    let room = width.map { $0 - margin }.flatMap { $0 >= 20 ? $0 : nil }
    return all.map { row in
      let lines = room.map { Prose.wrap(row.last ?? "", to: $0).split(separator: "\n") } ?? []
      guard lines.count > 1 else { return self.line(row, widths) }
      let under = lines.dropFirst().map { String(repeating: " ", count: margin) + $0 }
      return ([self.line(row.dropLast() + [String(lines[0])], widths)] + under)
        .joined(separator: "\n")
    }.joined(separator: "\n")
  }

  /// The width of a line, with the column that can be shortened as narrow as possible.
  private var leastLineWidth: Int {
    let rows = cells + [columns]
    return columns.indices.reduce(-2) { sum, column in
      let width = rows.map { TerminalText.width($0[column]) }.max() ?? 0
      return sum + 2 + (column == shortened?.column ? min(width, Self.leastWidth) : width)
    }
  }

  private func without(_ heading: String) -> TextTable {
    var table = self
    table.optional.removeAll { $0 == heading }
    guard let index = columns.firstIndex(of: heading) else { return table }
    table.columns.remove(at: index)
    for row in rows.indices { table.rows[row].remove(at: index) }
    if let column = shortened?.column, column > index { table.shortened?.column -= 1 }
    return table
  }

  /// The rows, with the column that can be shortened cut to the room that the others leave.
  private func fitted(to width: Int) -> [[String]] {
    let rows = cells
    guard let shortened else { return rows }
    let widths = columns.indices.map { column in
      (rows.map { TerminalText.width($0[column]) } + [TerminalText.width(columns[column])]).max()
        ?? 0
    }
    let last = min(widths.last ?? 0, Self.leastWidthOfLast)
    let others = widths.dropLast().reduce(last) { $0 + $1 + 2 } - widths[shortened.column]
    let room = max(width - others, Self.leastWidth)
    return rows.map { row in
      var row = row
      row[shortened.column] = row[shortened.column].shortened(to: room, shortened.sign)
      return row
    }
  }

  private func line(_ row: [String], _ widths: [Int]) -> String {
    var line = zip(row, widths).map { cell, width in
      cell + String(repeating: " ", count: max(width - TerminalText.width(cell), 0))
    }.joined(separator: "  ")
    while line.hasSuffix(" ") { line.removeLast() }
    return line
  }
}

extension String {
  /// The beginning and the end of the string, as far as there is room, with `sign` between them. The end gets more
  /// room: it says the most about a path.
  func shortened(to room: Int, _ sign: String) -> String {
    guard count > room else { return self }
    let left = max(room - sign.count, 0)
    return prefix(left / 3) + sign + suffix(left - left / 3)
  }
}
