/// Text in columns of a terminal. If there is too little room, the least informative columns are omitted.
struct TextColumns {
  struct Column {
    var title: String
    var cells: [String]
    var isText = false

    var width: Int { (cells + [title]).map(TerminalText.width).max() ?? 0 }
  }

  var columns: [Column]

  /// The width that the first column may be cut to before other columns are omitted.
  private static let namesKept = 16

  private var total: Int { columns.reduce(0) { $0 + $1.width } + 2 * (columns.count - 1) }

  /// The lines, the titles first. No line is wider than `width`.
  ///
  /// - Parameter dropping: titles of the columns that may be omitted, the least informative first. Before a column is
  ///   omitted, the first column is cut, but not below `namesKept`. If the table is still too wide, the first column is
  ///   cut further, and then the end of each line.
  func lines(width: Int, style: Timeline.Style, dropping: [String]) -> [String] {
    var table = self
    let spare = max(table.columns[0].width - Self.namesKept, 0)
    for name in dropping {
      guard table.total - spare > width else { break }
      table.columns.removeAll { $0.title == name }
    }
    let excess = table.total - width
    if excess > 0 {
      let names = table.columns[0].width - excess
      table.columns[0].cells = table.columns[0].cells.map {
        TerminalText.fit($0, max(names, 4), style: style)
      }
    }
    let columns = table.columns
    var lines = [line(columns.map { ($0.title, $0) })]
    for index in columns[0].cells.indices {
      lines.append(line(columns.map { ($0.cells[index], $0) }))
    }
    return lines.map { TerminalText.fit($0, max(width, 1), style: style) }
  }

  private func line(_ cells: [(String, Column)]) -> String {
    let line = cells.map { text, column in
      column.isText
        ? TerminalText.pad(text, to: column.width) : TerminalText.padLeft(text, to: column.width)
    }.joined(separator: "  ")
    return String(line.reversed().drop { $0 == " " }.reversed())
  }
}
