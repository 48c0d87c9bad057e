/// The chart of one run below an axis. Each row has a label on the left, and a note and a lane on the right.
struct PicturePanel {
  let run: PicturedRun
  let rows: [TimelineRow]
  /// A text about everything that no row shows.
  let leftOut: String?
  let length: Int64
  /// The findings that the picture shows, numbered from 1. `moreLints` is the number of the others.
  let lints: [LintRecord]
  let moreLints: Int
  private(set) var bottom = 0.0

  /// The left edge of the chart, between labels and notes. `right` is its right edge.
  var left: Double
  var right: Double
  private(set) var top = 0.0
  let rowHeight: Double
  private let lanes: [String]
  /// The arrows along the critical path.
  let arrows: [RowArrow]
  private(set) var legend: [LegendEntry] = []

  /// How many findings of a run a picture shows.
  static let mostLints = 4
  private static let labelSize = 15.0
  private static let axisHeight = 24.0

  init(_ run: PicturedRun, _ rows: TimelineRows, length: Int64) {
    self.run = run
    self.rows = rows.rows
    self.length = max(length, 1)
    leftOut = rows.leftOut
    let record = run.record
    lints = Array(record.lints.prefix(Self.mostLints))
    moreLints = record.lints.count - lints.count
    lanes = self.rows.map { row in
      let lanes = Set(row.steps.compactMap { record.steps[$0].lane })
      return lanes.count > 1 ? "\(lanes.count) lanes" : PictureText.printable(lanes.first ?? "")
    }
    arrows = rows.arrows
    rowHeight = self.rows.count <= 12 ? 32 : 24
    let labels = self.rows.map { row in
      PictureText.width(
        PictureText.printable(row.label), size: Self.labelSize, isBold: row.isCritical)
        + Self.indent(row)
    }
    // The minimum is the room for the names of the strips.
    left = PictureLayout.margin + min(max(labels.max() ?? 0, 96) + 12, 380)
    let notes = zip(self.rows, lanes).map { row, lane in
      PictureText.width(row.note, size: 14) + PictureText.width(lane, size: 13) + 14
    }
    right = PictureLayout.width - PictureLayout.margin - min((notes.max() ?? 0) + 12, 300)
  }

  private static func indent(_ row: TimelineRow) -> Double { Double(min(row.depth, 8)) * 16 }

  func x(_ time: Int64) -> Double {
    // Clamped: a file may contain any time.
    left + min(max(Double(time) / Double(length), 0), 1) * (right - left)
  }

  func middle(_ row: Int) -> Double { top + (Double(row) + 0.5) * rowHeight }

  /// Whether a delay of a row ends at `time`. The text of the delay then takes the room before `time`.
  func isDelayed(_ row: Int, until time: Int64) -> Bool {
    rows[row].stretches.contains { $0.kind == .delay && $0.to == time }
  }

  /// The height of a row's bar. The bars of patterns are thinner than those of their parts.
  func barHeight(_ row: TimelineRow) -> Double {
    let isLeaf = row.steps.allSatisfy { run.record.steps[$0].isLeaf }
    return rowHeight * (isLeaf ? 0.62 : 0.3)
  }

  /// - Parameter y: the top edge.
  mutating func draw(on picture: inout TimelinePicture, y: Double) {
    top = y + Self.axisHeight
    bottom = top
    guard !rows.isEmpty else {
      picture.marks.append(
        .text(
          .init(text: "no steps", x: PictureLayout.margin, y: top, size: 15, ink: .faint)))
      return
    }
    let strips = PictureStrips(self)
    drawAxis(to: top + Double(rows.count) * rowHeight + strips.height, on: &picture)
    for index in rows.indices { drawRow(index, on: &picture) }
    PictureArrows(self).draw(on: &picture)
    for index in rows.indices { drawMarks(index, on: &picture) }
    strips.draw(self, on: &picture)
    bottom = top + Double(rows.count) * rowHeight + strips.height
    legend = legend(hasArrows: !arrows.isEmpty)
  }

  private func drawAxis(to bottom: Double, on picture: inout TimelinePicture) {
    let axis = TimeAxis(length: length, columns: Int((right - left) / 11))
    for tick in axis.ticks {
      let x = x(tick.time)
      picture.marks.append(
        .line(.init(points: [.init(x, top - 4), .init(x, bottom)], ink: .line)))
      let text = tick.text.replacing("us", with: "µs")
      let room = PictureText.width(text, size: 13) / 2
      let anchor: TimelinePicture.Anchor =
        x - room < left - 20 ? .start : x + room > right + 40 ? .end : .middle
      picture.marks.append(
        .text(.init(text: text, x: x, y: top - 9, size: 13, ink: .faint, anchor: anchor)))
    }
    picture.marks.append(
      .line(.init(points: [.init(left, top - 4), .init(right, top - 4)], ink: .line)))
  }

  // MARK: Rows

  private func drawRow(_ index: Int, on picture: inout TimelinePicture) {
    let row = rows[index]
    let base = middle(index) + 5
    let isFailure = row.state == .failure
    let x = PictureLayout.margin + Self.indent(row)
    picture.marks.append(
      .text(
        .init(
          text: PictureText.fit(
            PictureText.printable(row.label), left - 10 - x, size: Self.labelSize,
            isBold: row.isCritical),
          x: x, y: base, size: Self.labelSize,
          ink: isFailure ? .failure : row.isCritical ? .critical : .text, isBold: row.isCritical)))
    drawBars(row, index, on: &picture)
    let note = PictureText.fit(
      row.note.replacing("us", with: "µs"), PictureLayout.width - PictureLayout.margin - right - 12,
      size: 14)
    picture.marks.append(
      .text(
        .init(
          text: note, x: right + 12, y: base, size: 14, ink: isFailure ? .failure : .text)))
    picture.marks.append(
      .text(
        .init(
          text: lanes[index], x: PictureLayout.width - PictureLayout.margin, y: base, size: 13,
          ink: .faint, anchor: .end)))
  }

  func addBadge(_ number: Int, x: Double, y: Double, to picture: inout TimelinePicture) {
    picture.marks.append(
      .rectangle(
        .init(
          x: x, y: y - 9, width: 18, height: 18, ink: .text, radius: 9, hint: "finding \(number)")
      ))
    picture.marks.append(
      .text(
        .init(
          text: String(number), x: x + 9, y: y + 4.5, size: 12, ink: .ground, anchor: .middle,
          isBold: true)))
  }

  // MARK: Legend

  struct LegendEntry {
    var text: String
    /// Draws the sample. The text starts 28 units to the right of `x`, and `y` is its baseline.
    var draw: (_ x: Double, _ y: Double, _ picture: inout TimelinePicture) -> Void
  }

  private func legend(hasArrows: Bool) -> [LegendEntry] {
    var kinds: Set<TimelineRow.Kind> = []
    for row in rows { row.stretches.visit { if $0.length > 0 { kinds.insert($0.kind) } } }
    func bar(_ text: String, _ ink: PictureInk, _ fill: TimelinePicture.Fill) -> LegendEntry {
      LegendEntry(text: text) { x, y, picture in
        picture.marks.append(
          .rectangle(
            .init(x: x, y: y - 10, width: 22, height: 11, ink: ink, fill: fill, radius: 2)))
      }
    }
    var entries: [LegendEntry] = []
    let running = rows.filter { row in row.stretches.contains { $0.kind == .run } }
    if running.contains(where: { $0.isCritical && $0.state != .failure }) {
      entries.append(bar("on the critical path", .critical, .solid))
    }
    // In a row with several steps, only some of them may be on the path.
    let others = running.filter { !$0.isCritical || $0.steps.count > 1 }
    if others.contains(where: { $0.state == .success || $0.state == .cancelled }) {
      entries.append(bar("runs", .run, .solid))
    }
    if others.contains(where: { $0.state == .unfinished }) {
      entries.append(bar("unfinished", .wait, .solid))
    }
    if running.contains(where: { $0.state == .failure }) {
      entries.append(bar("failed", .failure, .solid))
    }
    if kinds.contains(.cancelled) {
      entries.append(bar("cancelled", .run, Self.cancelledFill))
    }
    if kinds.contains(.keptRunning) {
      entries.append(bar("keeps running after it was cancelled", .failure, Self.keptRunningFill))
    }
    if rows.contains(where: { row in row.marks.contains { $0.kind == .timeout } }) {
      entries.append(
        LegendEntry(text: "timed out") { x, y, picture in
          Self.addCross(x: x + 11, y: y - 5, to: &picture)
        })
    }
    if kinds.contains(.wait) { entries.append(bar("waits", .wait, Self.waitFill)) }
    if kinds.contains(.delay) {
      entries.append(
        LegendEntry(text: "delayed by a timer") { x, y, picture in
          let ends = [TimelinePicture.Point(x, y - 5), .init(x + 22, y - 5)]
          picture.marks.append(.line(.init(points: ends, ink: .text, thickness: 2.5, dash: 4)))
        })
    }
    if kinds.contains(.blocked) {
      entries.append(bar("a thread is blocked", .blocked, Self.blockedFill))
    }
    if hasArrows {
      entries.append(
        LegendEntry(text: "lets the next step continue, and why") { x, y, picture in
          let ends = [TimelinePicture.Point(x, y - 5), .init(x + 16, y - 5)]
          picture.marks.append(.line(.init(points: ends, ink: .text, thickness: 1.6)))
          picture.marks.append(
            .area([.init(x + 15, y - 9), .init(x + 22, y - 5), .init(x + 15, y - 1)], .text))
        })
    }
    return entries
  }
}
