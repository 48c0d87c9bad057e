/// Converts rows to lines of text.
struct TimelinePainter {
  let record: RunRecord
  let isUnderWay: Bool
  let width: Int
  let style: Timeline.Style
  let color: Bool
  var hint: String?

  private var separator: String { style == .unicode ? " · " : ", " }

  func lines(_ rows: TimelineRows, _ counters: CounterPlots?) -> [String] {
    let chart = chart(rows, counters?.plots ?? [])
    return header + chart.lines + footer(rows, chart.contents, counters)
  }

  // MARK: Header

  private var header: [String] {
    let items = [
      printable(record.name), isUnderWay ? "running" : record.outcome.rawValue,
      (isUnderWay ? "so far " : "makespan ") + record.makespan.durationText,
      "work \(record.work.durationText)", "blocked \(record.blocked.durationText)",
      "concurrency \(record.maxConcurrency)", "threads \(record.threads)",
    ]
    var lines = TerminalText.wrap(items, separator: separator, width, style: style)
    if let first = lines.first { lines[0] = paint(first, .bold) }
    if let error = record.error { lines += sentence("error: " + printable(error)) }
    for reason in record.stallReasons ?? [] { lines += sentence(printable(reason)) }
    if !isUnderWay, let path = line(of: CriticalChain(record)) { lines.append(path) }
    return lines
  }

  /// The lines of a sentence, at most six. It is wrapped instead of truncated, since its end contains the fix.
  private func sentence(_ text: String) -> [String] {
    let words = text.split(separator: " ").map(String.init)
    var lines = TerminalText.wrap(words, separator: " ", max(width - 2, 1), style: style)
    if lines.count > 6 { lines[5...] = [lines[5] + (style == .unicode ? " …" : " ...")] }
    return lines.enumerated().map { paint(fit(($0 == 0 ? "" : "  ") + $1), .red) }
  }

  /// The path. If there is too little room, steps in its middle are left out first. Nil if there is no path.
  private func line(of path: CriticalChain) -> String? {
    let count = path.count
    guard count > 0 else { return nil }
    let arrow = style == .unicode ? " → " : " -> "
    let most = count <= 12 ? count : 3
    let shown = most == count ? Array(path) : Array(path.prefix(most)) + Array(path.suffix(2))
    let names = path.names(of: shown).map(printable)
    func line(_ first: Int) -> String {
      let left = count - first - 2
      let parts =
        left < 2 ? names : names.prefix(first) + ["(\(left.grouped) more)"] + names.suffix(2)
      return "critical path: " + parts.joined(separator: arrow)
    }
    let lines = [most, 3, 2, 1].map(line)
    return fit(lines.first { TerminalText.width($0) <= width } ?? lines[lines.count - 1])
  }

  // MARK: Rows

  /// What the bars of a chart show, for the legend.
  private struct Contents {
    var kinds: Set<TimelineRow.Kind> = []
    var hasMoments = false
  }

  /// - Returns: the lines, and what the bars in them show. There are no bars if the width has no room for them.
  private func chart(
    _ rows: TimelineRows, _ plots: [CounterPlot]
  ) -> (lines: [String], contents: Contents) {
    guard !rows.rows.isEmpty else { return ([fit("no steps")], Contents()) }
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
    // A line consists of a label, a bar between the two edges of a frame, and a note after a space.
    if width - labelWidth - noteWidth - 3 < 10 { noteWidth = 0 }
    if width - labelWidth - noteWidth - 3 < 4 { labelWidth = max(width - 7, 0) }
    let barWidth = width - labelWidth - noteWidth - (noteWidth > 0 ? 3 : 2)
    guard barWidth >= 1 else { return (labels.map(fit), Contents()) }

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
    let arrows = Dictionary(rows.arrows.map { ($0.to, $0) }) { first, _ in first }
    var contents = Contents()
    for (index, row) in rows.rows.enumerated() {
      let bar = TimelineBar(row, arrows[index], axis, style: style)
      contents.kinds.formUnion(bar.kinds)
      contents.hasMoments = contents.hasMoments || bar.hasMoments
      let isFailure = row.state == .failure
      line(
        labels[index], isFailure ? .red : row.isCritical ? .bold : nil, text(bar, row),
        notes[index], isFailure ? .red : nil)
    }
    for (label, plot) in zip(plotLabels, plots) {
      let grid = PlotGrid(plot, length: axis.length, columns: axis.columns, style: style)
      for (row, note) in plot.notes.enumerated() {
        line(row == 0 ? label : "", nil, paint(grid.rows[row], .cyan), note, nil)
      }
    }
    return (lines, contents)
  }

  private func text(_ bar: TimelineBar, _ row: TimelineRow) -> String {
    bar.runs.map { cell, count in
      paint(String(repeating: cell.glyph(style), count: count), ink(cell, row))
    }.joined()
  }

  private func ink(_ cell: TimelineBar.Cell, _ row: TimelineRow) -> Ink? {
    switch cell {
    case .empty, .covered: nil
    case .filled(.wait), .text(_, .wait): .dim
    case .filled(.delay), .text(_, .delay): row.isCritical ? .green : .dim
    case .filled(.blocked), .text(_, .blocked): .yellow
    case .filled(.keptRunning), .text(_, .keptRunning), .mark(.timeout): .red
    case .mark(.finding): .bold
    case .filled(.cancelled), .text(_, .cancelled): row.isCritical ? .green : .dim
    case .filled(.run), .text(_, .run), .moment:
      switch row.state {
      case .failure: .red
      case .unfinished: .yellow
      default: row.isCritical ? .green : .blue
      }
    }
  }

  // MARK: Footer

  private func footer(
    _ rows: TimelineRows, _ contents: Contents, _ counters: CounterPlots?
  ) -> [String] {
    let left = [rows.leftOut, counters?.leftOutText].compactMap { $0 }
    var lines = left.map { fit("\(style == .unicode ? "…" : "...") \($0)") }
    if let hint, rows.isFolded || rows.leftOut != nil { lines.append(fit(printable(hint))) }
    let hasTimeout = rows.rows.contains { row in row.marks.contains { $0.kind == .timeout } }
    var items: [String] = []
    for kind in TimelineRow.Kind.allCases where contents.kinds.contains(kind) {
      items.append("\(glyph(.filled(kind))) \(rows.words[kind] ?? "")")
    }
    if hasTimeout { items.append(glyph(.mark(.timeout)) + " timed out") }
    if contents.hasMoments { items.append(glyph(.moment) + " no time") }
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

  private func glyph(_ cell: TimelineBar.Cell) -> String { cell.glyph(style) }

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
