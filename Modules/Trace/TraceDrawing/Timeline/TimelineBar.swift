/// The bar of a row as cells of a terminal, with its texts and marks.
struct TimelineBar {
  enum Cell: Equatable {
    case empty
    case filled(TimelineRow.Kind)
    /// A stretch that took no time.
    case moment
    case text(Character, TimelineRow.Kind)
    /// The second column of a character that is two columns wide.
    case covered
    case mark(TimelineRow.Mark.Kind)
  }

  private var cells: [Cell]
  /// The kinds of its stretches that take time.
  private(set) var kinds: Set<TimelineRow.Kind> = []
  /// Whether some stretch in which the step runs takes no time.
  private(set) var hasMoments = false
  private let axis: TimeAxis
  private let style: Timeline.Style

  /// - Parameter arrow: the arrow that leads to the row, if there is one.
  /// - Complexity: O(n) in the number of stretches and cells.
  init(_ row: TimelineRow, _ arrow: RowArrow?, _ axis: TimeAxis, style: Timeline.Style) {
    self.axis = axis
    self.style = style
    cells = Array(repeating: .empty, count: axis.columns)
    let captioned = fill(row.stretches)
    for stretch in captioned { write(stretch) }
    if let arrow { write(arrow) }
    for mark in row.marks { put(mark) }
  }

  /// The cells, with equal neighbours combined and counted.
  var runs: [(cell: Cell, count: Int)] {
    cells.reduce(into: []) { runs, cell in
      if let last = runs.last, last.cell == cell {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((cell, 1))
      }
    }
  }

  /// The cells that the stretches of all kinds fill. A row can have millions of stretches, so the kinds share two arrays.
  private struct Layers {
    private let columns: Int
    /// For each kind and column, the number of stretches that start there, less those that end there. One pass then
    /// fills the cells, however many stretches there are.
    private var changes: [Int]
    /// For each kind and column, whether it has a stretch that took no time.
    private var moments: [Bool]

    init(columns: Int) {
      self.columns = columns
      let count = TimelineRow.Kind.allCases.count * (columns + 1)
      changes = Array(repeating: 0, count: count)
      moments = Array(repeating: false, count: count)
    }

    private func start(of kind: TimelineRow.Kind) -> Int { kind.rawValue * (columns + 1) }

    mutating func add(_ range: Range<Int>, _ kind: TimelineRow.Kind) {
      let start = start(of: kind)
      changes[start + range.lowerBound] += 1
      changes[start + range.upperBound] -= 1
    }

    mutating func add(momentAt column: Int, _ kind: TimelineRow.Kind) {
      moments[start(of: kind) + column] = true
    }

    func changes(of kind: TimelineRow.Kind) -> ArraySlice<Int> {
      changes[start(of: kind)...].prefix(columns + 1)
    }

    func moments(of kind: TimelineRow.Kind) -> ArraySlice<Bool> {
      moments[start(of: kind)...].prefix(columns)
    }
  }

  /// Fills the cells of all stretches.
  ///
  /// - Returns: the stretches with a caption.
  private mutating func fill(_ stretches: RowStretches) -> [TimelineRow.Stretch] {
    var layers = Layers(columns: axis.columns)
    var captioned: [TimelineRow.Stretch] = []
    stretches.visit { stretch in
      let range = axis.cells(from: stretch.from, to: stretch.to)
      if stretch.from < stretch.to {
        layers.add(range, stretch.kind)
      } else {
        layers.add(momentAt: range.lowerBound, stretch.kind)
      }
      if stretch.caption != nil { captioned.append(stretch) }
    }
    for kind in TimelineRow.Kind.allCases {
      fill(layers.changes(of: kind), kind)
      if kind.showsMoments { fill(layers.moments(of: kind), kind) }
    }
    return captioned
  }

  private mutating func fill(_ changes: ArraySlice<Int>, _ kind: TimelineRow.Kind) {
    // The range of a stretch is never empty, so the first change is a start.
    guard changes.contains(where: { $0 != 0 }) else { return }
    kinds.insert(kind)
    var open = 0
    for (column, change) in zip(cells.indices, changes) {
      open += change
      if open > 0 { cells[column] = .filled(kind) }
    }
  }

  private mutating func fill(_ moments: ArraySlice<Bool>, _ kind: TimelineRow.Kind) {
    for (column, isMoment) in zip(cells.indices, moments) where isMoment {
      hasMoments = true
      if cells[column] != .filled(kind) { cells[column] = .moment }
    }
  }

  // MARK: Texts

  /// Writes the caption of a stretch into its longest visible part, if there is room.
  private mutating func write(_ stretch: TimelineRow.Stretch) {
    guard let caption = stretch.caption.map(printable), stretch.from < stretch.to else { return }
    let range = axis.cells(from: stretch.from, to: stretch.to)
    let needed = TerminalText.width(caption) + 4
    guard range.count >= needed else { return }
    let parts = range.split { cells[$0] != .filled(stretch.kind) }
    guard let part = parts.max(by: { $0.count < $1.count }), part.count >= needed else { return }
    write(" \(caption) ", at: part.startIndex + (part.count - needed + 2) / 2, stretch.kind)
  }

  /// Writes a text before the start of a step: which step let it continue, and the reason. Shortens the text if there
  /// is not enough room.
  private mutating func write(_ arrow: RowArrow) {
    let start = axis.cells(from: arrow.start, to: arrow.start).lowerBound
    let room = cells[..<start].reversed().prefix { $0 == .empty || $0 == .filled(.wait) }.count
    let sign = style == .unicode ? "→" : ">"
    let texts =
      [arrow.reason.words(naming: arrow.label), arrow.reason.words]
      .map { " \(printable($0)) \(sign)" } + [sign]
    // One more column keeps it apart from the frame.
    guard let text = texts.first(where: { TerminalText.width($0) < max(room, 2) }) else { return }
    guard room > 0 else { return }
    write(text, at: start - TerminalText.width(text), .wait)
  }

  private mutating func write(_ text: String, at start: Int, _ kind: TimelineRow.Kind) {
    var column = start
    for character in text {
      cells[column] = .text(character, kind)
      let width = TerminalText.width(String(character))
      if width == 2 { cells[column + 1] = .covered }
      column += max(width, 1)
    }
  }

  // MARK: Marks

  private mutating func put(_ mark: TimelineRow.Mark) {
    let scale = Double(axis.columns) / Double(axis.length)
    // The mark of an end is in the last cell of its bar.
    let end = Int((min(max(Double(mark.time), 0), Double(axis.length)) * scale).rounded(.up)) - 1
    var column = min(max(end, 0), axis.columns - 1)
    while column + 1 < axis.columns, case .mark = cells[column] { column += 1 }
    // The mark may cover one half of a wide character. Then the other half is replaced, too.
    if case .covered = cells[column], column > 0 { cells[column - 1] = .empty }
    if case .text(let character, let kind) = cells[column],
      TerminalText.width(String(character)) == 2, column + 1 < axis.columns
    {
      cells[column + 1] = .filled(kind)
    }
    cells[column] = .mark(mark.kind)
  }

  private func printable(_ text: String) -> String {
    TerminalText.printable(style == .ascii ? text.replacing("×", with: "x") : text, style: style)
  }
}

extension TimelineBar.Cell {
  func glyph(_ style: Timeline.Style) -> String {
    switch (self, style) {
    case (.empty, _): " "
    case (.covered, _): ""
    case (.text(let character, _), _): String(character)
    case (.moment, .unicode): "▏"
    case (.moment, .ascii): "|"
    case (.filled(let kind), .unicode): kind.glyphs.unicode
    case (.filled(let kind), .ascii): kind.glyphs.ascii
    case (.mark(.timeout), .unicode): "╳"
    case (.mark(.timeout), .ascii): "X"
    case (.mark(.finding(let number)), _): Timeline.sign(ofFinding: number, style)
    }
  }
}

extension TimelineRow.Kind {
  /// Whether a stretch that takes no time is drawn.
  fileprivate var showsMoments: Bool { self == .run || self == .cancelled }

  fileprivate var glyphs: (unicode: String, ascii: String) {
    switch self {
    case .wait: ("░", ".")
    case .delay: ("┄", "_")
    case .run: ("█", "=")
    case .cancelled: ("▚", "~")
    case .keptRunning: ("▓", "#")
    case .blocked: ("▒", "x")
    }
  }
}
