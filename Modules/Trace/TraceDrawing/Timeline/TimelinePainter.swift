/// Converts rows to lines of text.
struct TimelinePainter {
  let record: RunRecord
  let isUnderWay: Bool
  let width: Int
  let style: Timeline.Style
  let color: Bool

  private var separator: String { style == .unicode ? " · " : ", " }

  func lines(_ rows: TimelineRows, _ counters: CounterPlots?) -> [String] {
    header + chart(rows, counters?.plots ?? []) + footer(rows, counters)
  }

  // MARK: Header

  private var header: [String] {
    func time(_ nanoseconds: Int64) -> String { Duration.nanoseconds(nanoseconds).shortDescription }
    let items = [
      printable(record.name), isUnderWay ? "running" : record.outcome.rawValue,
      (isUnderWay ? "so far " : "makespan ") + time(record.makespan),
      "work \(time(record.work))", "blocked \(time(record.blocked))",
      "concurrency \(record.maxConcurrency)", "threads \(record.threads)",
    ]
    var lines = TerminalText.wrap(items, separator: separator, width, style: style)
    if let first = lines.first { lines[0] = paint(first, .bold) }
    if let error = record.error { lines += sentence("error: " + printable(error)) }
    for reason in record.stallReasons ?? [] { lines += sentence(printable(reason)) }
    if !record.criticalPath.isEmpty, !isUnderWay {
      lines.append(fit("critical path: " + criticalPath))
    }
    return lines
  }

  /// Broken between words, since the end of the sentence contains the fix; six lines at most.
  private func sentence(_ text: String) -> [String] {
    let words = text.split(separator: " ").map(String.init)
    var lines = TerminalText.wrap(words, separator: " ", max(width - 2, 1), style: style)
    if lines.count > 6 { lines[5...] = [lines[5] + (style == .unicode ? " …" : " ...")] }
    return lines.enumerated().map { paint(fit(($0 == 0 ? "" : "  ") + $1), .red) }
  }

  /// The path as far as there is room. Its end is always included.
  private var criticalPath: String {
    let arrow = style == .unicode ? " → " : " -> "
    let labels = record.criticalPath
    guard labels.count > 12 else { return labels.map(printable).joined(separator: arrow) }
    let shown = (labels.prefix(3) + ["(\((labels.count - 5).grouped) more)"] + labels.suffix(2))
    return shown.map(printable).joined(separator: arrow)
  }

  // MARK: Rows

  private func chart(_ rows: TimelineRows, _ plots: [CounterPlot]) -> [String] {
    guard !rows.rows.isEmpty else { return [fit("no steps")] }
    let labels = rows.rows.map { row in
      (row.isCritical ? "* " : "  ") + String(repeating: "  ", count: min(row.depth, 20))
        + printable(row.label)
    }
    let notes = rows.rows.map { printable($0.note) }
    let plotLabels = plots.map { "  " + printable($0.label) }
    let isConcurrent = record.maxConcurrency > 1
    let most = isConcurrent ? ["\(record.maxConcurrency)"] : []
    let allNotes = notes + plots.flatMap(\.notes) + most
    var labelWidth = (labels + plotLabels).lazy.map(TerminalText.width).max() ?? 0
    labelWidth = min(labelWidth, max(width * 2 / 5, 6))
    var noteWidth = min(allNotes.lazy.map(TerminalText.width).max() ?? 0, max(width / 3, 6))
    // Label, bar in a frame, note.
    if width - labelWidth - noteWidth - 3 < 10 { noteWidth = 0 }
    if width - labelWidth - noteWidth - 3 < 4 { labelWidth = max(width - 7, 0) }
    let barWidth = width - labelWidth - noteWidth - (noteWidth > 0 ? 3 : 2)
    guard barWidth >= 1 else { return labels.map(fit) }

    let axis = TimeAxis(length: record.makespan, columns: barWidth)
    let edge = style == .unicode ? "│" : "|"
    var lines = [fit(String(repeating: " ", count: labelWidth + 1) + axis.text)]
    /// Puts a picture between its label and its note.
    func line(_ label: String, _ ink: Ink?, _ picture: String, _ note: String, _ noteInk: Ink?) {
      let label = TerminalText.pad(
        TerminalText.fit(label, labelWidth, style: style), to: labelWidth)
      let note = TerminalText.fit(note, noteWidth, style: style)
      lines.append(
        paint(label, ink) + edge + picture + edge
          + (note.isEmpty ? "" : " " + paint(note, noteInk)))
    }
    if isConcurrent {
      let counts = Sparkline.concurrency(record, columns: axis.columns)
      // If the label has no room, the legend below still names it.
      let label = labelWidth >= 11 ? "concurrency" : ""
      line(label, .dim, paint(Sparkline.text(counts, style: style), .cyan), most[0], .dim)
    }
    for (index, row) in rows.rows.enumerated() {
      let isFailure = row.state == .failure
      line(
        labels[index], isFailure ? .red : row.isCritical ? .bold : nil, bar(row, axis),
        notes[index], isFailure ? .red : nil)
    }
    for (label, plot) in zip(plotLabels, plots) {
      let grid = PlotGrid(plot, length: axis.length, columns: axis.columns, style: style)
      for (row, note) in plot.notes.enumerated() {
        line(row == 0 ? label : "", nil, paint(grid.rows[row], .cyan), note, nil)
      }
    }
    return lines
  }

  private func bar(_ row: TimelineRow, _ axis: TimeAxis) -> String {
    var cells = [Cell](repeating: .empty, count: axis.columns)
    for kind in TimelineRow.Kind.allCases {
      // Changes at the ends of the stretches, so that many stretches take no longer than few.
      var changes = Array(repeating: 0, count: axis.columns + 1)
      var moments: [Int] = []
      for stretch in row.stretches where stretch.kind == kind {
        let range = axis.cells(from: stretch.from, to: stretch.to)
        if stretch.from == stretch.to {
          moments.append(range.lowerBound)
        } else {
          changes[range.lowerBound] += 1
          changes[range.upperBound] -= 1
        }
      }
      var open = 0
      for column in cells.indices {
        open += changes[column]
        if open > 0 { cells[column] = .filled(kind) }
      }
      for column in moments where kind == .run && cells[column] != .filled(.run) {
        cells[column] = .moment
      }
    }
    for stretch in row.stretches { write(stretch, to: &cells, axis) }
    return cells.runs.map { cell, count in
      paint(String(repeating: glyph(cell), count: count), ink(cell, row))
    }.joined()
  }

  /// Writes the caption of a stretch into its longest visible part, if there is room.
  private func write(_ stretch: TimelineRow.Stretch, to cells: inout [Cell], _ axis: TimeAxis) {
    guard let caption = stretch.caption.map(printable), stretch.from < stretch.to else { return }
    let range = axis.cells(from: stretch.from, to: stretch.to)
    let needed = TerminalText.width(caption) + 4
    guard range.count >= needed else { return }
    let parts = range.split { cells[$0] != .filled(stretch.kind) }
    guard let part = parts.max(by: { $0.count < $1.count }), part.count >= needed else { return }
    var column = part.startIndex + (part.count - needed + 2) / 2
    for character in " \(caption) " {
      cells[column] = .text(character, stretch.kind)
      let width = TerminalText.width(String(character))
      if width == 2 { cells[column + 1] = .covered }
      column += width
    }
  }

  private enum Cell: Equatable {
    case empty
    case filled(TimelineRow.Kind)
    case moment
    case text(Character, TimelineRow.Kind)
    /// Covered by a character that is two columns wide.
    case covered
  }

  private func glyph(_ cell: Cell) -> String {
    switch (cell, style) {
    case (.empty, _): " "
    case (.covered, _): ""
    case (.text(let character, _), _): String(character)
    case (.moment, .unicode): "▏"
    case (.moment, .ascii): "|"
    case (.filled(.wait), .unicode): "░"
    case (.filled(.wait), .ascii): "."
    case (.filled(.run), .unicode): "█"
    case (.filled(.run), .ascii): "="
    case (.filled(.blocked), .unicode): "▒"
    case (.filled(.blocked), .ascii): "x"
    }
  }

  private func ink(_ cell: Cell, _ row: TimelineRow) -> Ink? {
    switch cell {
    case .empty, .covered: nil
    case .filled(.wait), .text(_, .wait): .dim
    case .filled(.blocked), .text(_, .blocked): .yellow
    case .filled(.run), .text(_, .run), .moment:
      switch row.state {
      case .failure: .red
      case .unfinished: .yellow
      default: row.isCritical ? .green : .blue
      }
    }
  }

  // MARK: Footer

  private func footer(_ rows: TimelineRows, _ counters: CounterPlots?) -> [String] {
    let left = [rows.leftOut, counters?.leftOutText].compactMap { $0 }
    let lines = left.map { fit("\(style == .unicode ? "…" : "...") \($0)") }
    var kinds: Set<TimelineRow.Kind> = []
    var hasMoment = false
    for row in rows.rows {
      for stretch in row.stretches {
        if stretch.from < stretch.to {
          kinds.insert(stretch.kind)
        } else if stretch.kind == .run {
          hasMoment = true
        }
      }
    }
    var items: [String] = []
    for kind in TimelineRow.Kind.allCases where kinds.contains(kind) {
      items.append("\(glyph(.filled(kind))) \(rows.words[kind] ?? "")")
    }
    if hasMoment { items.append(glyph(.moment) + " no time") }
    if rows.rows.contains(where: \.isCritical) { items.append("* critical path") }
    if record.maxConcurrency > 1, !rows.rows.isEmpty {
      items.append(Sparkline.sign(style) + " concurrency")
    }
    if counters?.plots.isEmpty == false {
      items.append((style == .unicode ? "⠒" : "-") + " counter")
    }
    if let recording = record.recordingText { items.append(recording) }
    if record.dropped > 0 { items.append("\(record.dropped.grouped) events lost: limit reached") }
    return lines
      + TerminalText.wrap(items, separator: "  ", width, style: style).map { paint($0, .dim) }
  }

  // MARK: Ink

  private enum Ink: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case blue = "34"
    case cyan = "36"
  }

  private func paint(_ text: String, _ ink: Ink?) -> String {
    guard color, let ink, !text.isEmpty else { return text }
    return "\u{1B}[\(ink.rawValue)m\(text)\u{1B}[0m"
  }

  private func printable(_ text: String) -> String {
    TerminalText.printable(style == .ascii ? text.replacing("×", with: "x") : text, style: style)
  }

  private func fit(_ text: String) -> String { TerminalText.fit(text, width, style: style) }
}

extension Array where Element: Equatable {
  /// The elements with equal neighbours combined, each with its count.
  fileprivate var runs: [(Element, Int)] {
    reduce(into: []) { runs, element in
      if let last = runs.last, last.0 == element {
        runs[runs.count - 1].1 += 1
      } else {
        runs.append((element, 1))
      }
    }
  }
}
