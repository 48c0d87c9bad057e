/// Text in columns of a terminal, of which the least telling are left out where there is no room.
struct TextColumns {
  struct Column {
    var title: String
    var cells: [String]
    var isText = false

    var width: Int { (cells + [title]).map(TerminalText.width).max() ?? 0 }
  }

  var columns: [Column]

  /// How wide the first column stays before figures are left out for it.
  private static let namesKept = 16

  private var total: Int { columns.reduce(0) { $0 + $1.width } + 2 * (columns.count - 1) }

  /// The lines, the titles first; no line is wider than `width`.
  ///
  /// - Parameter dropping: titles of what may be left out, the least telling first. Before anything is,
  ///   the first column is cut, as long as its names can be told apart; what is still too wide after that is cut
  ///   further there, and then at the end of the line.
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
