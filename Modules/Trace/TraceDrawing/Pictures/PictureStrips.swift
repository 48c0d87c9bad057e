/// The strips below the rows of a chart show values over time: the number of steps in flight, and counters.
struct PictureStrips {
  struct Strip {
    var label: String
    var note: String
    var points: [CounterRecord.Point]
    var lowest: Double
    var highest: Double
    var isFilled: Bool
  }

  private(set) var strips: [Strip] = []
  private static let stripHeight = 44.0
  /// The maximum number of counters that fit.
  private static let mostCounters = 5

  var height: Double { strips.isEmpty ? 0 : Double(strips.count) * Self.stripHeight + 6 }

  init(_ panel: PicturePanel) {
    let record = panel.run.record
    let curve = ConcurrencyCurve(record.steps)
    if curve.largest > 0 {
      strips.append(
        Strip(
          label: "in flight", note: "up to \(record.maxConcurrency)", points: curve.points,
          lowest: 0, highest: Double(curve.largest), isFilled: true))
    }
    for line in CounterLine.lines(of: record.counters).prefix(Self.mostCounters) {
      let plot = CounterPlot(line.title, [line], height: 2)
      strips.append(
        Strip(
          label: PictureText.printable(line.title), note: plot.range, points: line.points,
          lowest: plot.lowest, highest: plot.highest, isFilled: false))
    }
  }

  func draw(_ panel: PicturePanel, on picture: inout TimelinePicture) {
    for (index, strip) in strips.enumerated() {
      let top =
        panel.top + Double(panel.rows.count) * panel.rowHeight + 6 + Double(index)
        * Self.stripHeight
      let base = top + Self.stripHeight - 6
      let span = strip.highest / 2 - strip.lowest / 2
      func y(_ value: Double) -> Double {
        let part = span > 0 ? (value / 2 - strip.lowest / 2) / span : 0.5
        return base - part * (Self.stripHeight - 14)
      }
      draw(strip, panel, base: base, y: y, on: &picture)
      let ends = [panel.left, panel.right].map { TimelinePicture.Point($0, base) }
      picture.marks.append(.line(.init(points: ends, ink: .line)))
      picture.marks.append(
        .text(
          .init(
            text: PictureText.fit(
              strip.label, panel.left - 10 - PictureLayout.margin, size: 14),
            x: PictureLayout.margin, y: base - 8, size: 14, ink: .faint)))
      picture.marks.append(
        .text(
          .init(
            text: strip.note, x: panel.right + 12, y: base - 8, size: 14, ink: .faint)))
    }
  }

  /// Draws a step function: each value holds until the next one.
  private func draw(
    _ strip: Strip, _ panel: PicturePanel, base: Double, y: (Double) -> Double,
    on picture: inout TimelinePicture
  ) {
    let points = Self.thinned(strip.points, panel)
    guard let first = points.first else { return }
    var line: [TimelinePicture.Point] = [.init(panel.x(first.time), y(first.value))]
    for (before, point) in zip(points, points.dropFirst()) {
      line.append(.init(panel.x(point.time), y(before.value)))
      line.append(.init(panel.x(point.time), y(point.value)))
    }
    let end = panel.x(max(panel.run.record.makespan, points[points.count - 1].time))
    line.append(.init(end, line[line.count - 1].y))
    if strip.isFilled {
      let area = [.init(line[0].x, base)] + line + [.init(end, base)]
      picture.marks.append(.area(area, .strip))
    } else {
      picture.marks.append(.line(.init(points: line, ink: .run, thickness: 1.6)))
    }
  }

  /// Among points at the same place, keeps the lowest, the highest and the last.
  private static func thinned(
    _ points: [CounterRecord.Point], _ panel: PicturePanel
  ) -> [CounterRecord.Point] {
    var result: [CounterRecord.Point] = []
    var index = 0
    while index < points.count {
      let place = panel.x(points[index].time).rounded(.down)
      var end = index
      while end < points.count, panel.x(points[end].time).rounded(.down) == place { end += 1 }
      let shared = points[index..<end]
      if shared.count <= 3 {
        result += shared
      } else {
        let least = shared.min { $0.value < $1.value }
        let most = shared.max { $0.value < $1.value }
        result += [least, most, shared.last].compactMap { $0 }.map {
          CounterRecord.Point(time: points[index].time, value: $0.value)
        }
      }
      index = end
    }
    return result
  }
}
