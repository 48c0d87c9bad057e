/// Text in columns, as wide as what stands in them.
struct TextTable {
  /// What stands above each column; none at all if every one is empty.
  let columns: [String]
  let rows: [[String]]
  /// Which column may be shortened where lines would be too wide, and the sign of what is left out.
  var shortened: (column: Int, sign: String)?

  /// A column narrower than this tells nothing.
  private static let leastWidth = 24

  var text: String { text(width: nil) }

  /// The table with what is too long in its last column broken between words, so that no line is wider
  /// than `width`.
  func text(width: Int?) -> String {
    let rows = width.map(fitted) ?? rows
    let isHeaded = columns.contains { !$0.isEmpty }
    let all = (isHeaded ? [columns] : []) + rows
    let widths = columns.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    let margin = widths.dropLast().reduce(0) { $0 + $1 + 2 }
    // A column too narrow for words is worse than a line that runs over.
    let room = width.map { $0 - margin }.flatMap { $0 >= 20 ? $0 : nil }
    return all.map { row in
      let lines = room.map { Prose.wrap(row.last ?? "", to: $0).split(separator: "\n") } ?? []
      guard lines.count > 1 else { return self.line(row, widths) }
      let under = lines.dropFirst().map { String(repeating: " ", count: margin) + $0 }
      return ([self.line(row.dropLast() + [String(lines[0])], widths)] + under)
        .joined(separator: "\n")
    }.joined(separator: "\n")
  }

  /// The rows with as much of the column that may be shortened as the others leave room for.
  private func fitted(to width: Int) -> [[String]] {
    guard let shortened else { return rows }
    let widths = columns.indices.map { column in
      (rows.map { $0[column].count } + [columns[column].count]).max() ?? 0
    }
    let last = min(widths.last ?? 0, Self.leastWidth)
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
      cell + String(repeating: " ", count: max(width - cell.count, 0))
    }.joined(separator: "  ")
    while line.hasSuffix(" ") { line.removeLast() }
    return line
  }
}

extension String {
  /// As much of its beginning and its end as there is room for, with `sign` for the rest. Of a path the end tells most.
  func shortened(to room: Int, _ sign: String) -> String {
    guard count > room else { return self }
    let left = max(room - sign.count, 0)
    return prefix(left / 3) + sign + suffix(left - left / 3)
  }
}
