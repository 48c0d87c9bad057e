/// Text in columns, as wide as what stands in them.
struct TextTable {
  /// What stands above each column; none at all if every one is empty.
  let columns: [String]
  let rows: [[String]]

  var text: String {
    let isHeaded = columns.contains { !$0.isEmpty }
    let all = (isHeaded ? [columns] : []) + rows
    let widths = columns.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { row in
      let cells = zip(row, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.count)
      }
      var line = cells.joined(separator: "  ")
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }
}
