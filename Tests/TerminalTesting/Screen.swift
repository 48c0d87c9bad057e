/// The screen of a terminal: enough of a VT100 for a line editor.
///
/// It implements printing with wrapping, CR, LF and BS. It moves and saves the cursor; erases, inserts and deletes
/// characters; and has a scrolling region that starts at the top. It ignores every other escape sequence. Wide
/// characters count as one column.
struct Screen {
  private(set) var columns: Int
  private(set) var rows: Int
  /// All lines that were ever on the screen; the last ``rows`` of them are visible.
  private var grid: [[Character]] = [[]]
  private var row = 0
  private var column = 0
  private var input = Input.text
  /// The cursor as the program has saved it, with the line counted from the top of the window.
  private var saved = (row: 0, column: 0)

  /// How many rows scroll, from the top of the window; nil for all.
  private var scrollingRows: Int?

  private enum Input {
    case text
    case escape
    case control(String)
    case operatingSystemCommand
  }

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// The lines, starting with the first line printed, without trailing blanks and without blank lines below the cursor.
  var lines: [String] {
    let lines = grid.map { row in
      var line = row
      while line.last == " " { line.removeLast() }
      return String(line)
    }
    return Array(lines.prefix(through: max(row, lines.lastIndex { !$0.isEmpty } ?? 0)))
  }

  /// The line and the column of the cursor.
  var cursor: (line: Int, column: Int) { (row, column) }

  /// Changes the size of the window. A narrower window does not wrap existing lines again.
  mutating func resize(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    column = min(column, columns - 1)
  }

  mutating func write(_ text: String) {
    for scalar in text.unicodeScalars { write(scalar) }
  }

  private mutating func write(_ scalar: Unicode.Scalar) {
    switch input {
    case .text:
      print(scalar)
    case .escape:
      switch scalar {
      case "[": input = .control("")
      case "]": input = .operatingSystemCommand
      case "M":
        row = max(top, row - 1)
        input = .text
      case "D":
        lineFeed()
        input = .text
      case "7":
        saved = (row - top, column)
        input = .text
      case "8":
        (row, column) = (top + saved.row, saved.column)
        input = .text
      default: input = .text
      }
    case .control(let parameters):
      if ("@"..."~").contains(scalar) {
        input = .text
        control(scalar, parameters)
      } else {
        input = .control(parameters + String(scalar))
      }
    case .operatingSystemCommand:
      if scalar == "\u{7}" { input = .text }
      if scalar == "\u{1B}" { input = .escape }
    }
  }

  private mutating func print(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\u{1B}": input = .escape
    case "\r": column = 0
    case "\n": lineFeed()
    case "\u{8}": column = max(0, column - 1)
    case "\t": column = min(columns - 1, (column / 8 + 1) * 8)
    case _ where scalar.value < 0x20 || scalar.value == 0x7F: break
    default:
      if scalar.properties.canonicalCombiningClass != .notReordered, column > 0 {
        grid[row][column - 1] = Character(String(grid[row][column - 1]) + String(scalar))
        return
      }
      // Like a real terminal: the cursor stays at the margin until the next character comes.
      if column == columns {
        column = 0
        lineFeed()
      }
      reach(column)
      grid[row][column] = Character(scalar)
      column += 1
    }
  }

  private mutating func control(_ final: Unicode.Scalar, _ parameters: String) {
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
    let first = numbers.first ?? nil
    let count = max(1, first ?? 1)
    column = min(column, columns - 1)
    switch final {
    case "A": row = max(top, row - count)
    case "B": moveDown(count)
    case "C": column = min(columns - 1, column + count)
    case "D": column = max(0, column - count)
    case "G": column = min(columns, count) - 1
    case "H", "f":
      row = top
      moveDown(count - 1)
      column = min(columns, max(1, (numbers.count > 1 ? numbers[1] : nil) ?? 1)) - 1
    case "r":
      scrollingRows = numbers.count > 1 ? numbers[1] : nil
      (row, column) = (top, 0)
    case "K": eraseInLine(first ?? 0)
    case "J": eraseInDisplay(first ?? 0)
    case "P":
      reach(column)
      grid[row].removeSubrange(column..<min(grid[row].count, column + count))
    case "@":
      reach(column)
      grid[row].insert(contentsOf: Array(repeating: " ", count: count), at: column)
      grid[row].removeSubrange(min(columns, grid[row].count)...)
    default: break
    }
  }

  private mutating func eraseInLine(_ what: Int) {
    switch what {
    case 1: for index in grid[row].indices.prefix(column + 1) { grid[row][index] = " " }
    case 2: grid[row] = []
    default: grid[row].removeSubrange(min(column, grid[row].count)...)
    }
  }

  private mutating func eraseInDisplay(_ what: Int) {
    if what == 0 {
      eraseInLine(0)
      grid.removeSubrange((row + 1)...)
    } else {
      for index in top..<grid.count { grid[index] = [] }
    }
  }

  /// The first visible line.
  private var top: Int { max(0, grid.count - rows) }

  private mutating func moveDown(_ count: Int) {
    row = min(top + rows - 1, row + count)
    while grid.count <= row { grid.append([]) }
  }

  private mutating func lineFeed() {
    if let scrollingRows, row == top + scrollingRows - 1 {
      while grid.count < top + rows { grid.append([]) }
      grid.insert([], at: row + 1)
    }
    row += 1
    if grid.count == row { grid.append([]) }
  }

  private mutating func reach(_ column: Int) {
    while grid[row].count <= column { grid[row].append(" ") }
  }
}
