extension TimelineRow {
  /// The ink for the time in which the steps of the row run.
  var ink: PictureInk {
    switch state {
    case .failure: .failure
    case .unfinished, .skipped, .waiting: isCritical ? .critical : .wait
    case .success, .cancelled: isCritical && steps.count == 1 ? .critical : .run
    }
  }
}

extension PicturePanel {
  static let waitFill = TimelinePicture.Fill.hatched(distance: 7, thickness: 1.2)
  static let blockedFill = TimelinePicture.Fill.hatched(distance: 6, thickness: 3)
  static let cancelledFill = TimelinePicture.Fill.framed(thickness: 2)
  static let keptRunningFill = TimelinePicture.Fill.hatched(distance: 4, thickness: 1.6)

  /// A time span of a row, in units of the picture.
  private struct Bar {
    var from: Double
    var to: Double
  }

  func drawBars(_ row: TimelineRow, _ index: Int, on picture: inout TimelinePicture) {
    let height = barHeight(row)
    let y = middle(index) - height / 2
    let isSingle = row.steps.count == 1
    let step = isSingle ? run.record.steps[row.steps[0]] : nil
    func add(_ bar: Bar, _ ink: PictureInk, _ fill: TimelinePicture.Fill, hint: String) {
      picture.marks.append(
        .rectangle(
          .init(
            x: bar.from, y: y, width: bar.to - bar.from, height: height, ink: ink, fill: fill,
            radius: min(3, (bar.to - bar.from) / 3), hint: hint)))
    }
    let byKind = row.stretches.byKind
    for kind in TimelineRow.Kind.allCases {
      let stretches = byKind[kind] ?? []
      if kind == .delay { drawDelays(stretches, row, index, on: &picture) }
      for bar in bars(of: stretches) {
        switch kind {
        case .wait: add(bar, .wait, Self.waitFill, hint: hint(row, "waits"))
        case .delay: break
        case .run: add(bar, row.ink, .solid, hint: hint(row, "runs"))
        case .cancelled: add(bar, row.ink, Self.cancelledFill, hint: hint(row, "cancelled"))
        case .keptRunning:
          add(bar, .ground, .solid, hint: hint(row, "keeps running"))
          add(bar, .failure, Self.keptRunningFill, hint: hint(row, "keeps running"))
        case .blocked:
          // The background shows between the lines, so that the blocked time stands out from the running bar.
          add(bar, .ground, .solid, hint: hint(row, "runs"))
          add(bar, .blocked, Self.blockedFill, hint: hint(row, "a thread is blocked"))
        }
      }
    }
    if !isSingle, row.isCritical {
      let critical = row.steps.map { run.record.steps[$0] }.filter(\.isCritical)
      let stretches = critical.compactMap { step in
        step.started.map {
          TimelineRow.Stretch(kind: .run, from: $0, to: step.finished ?? run.record.makespan)
        }
      }
      for bar in bars(of: stretches) { add(bar, .critical, .solid, hint: hint(row, "critical")) }
    }
    // The text is as high as the bar of a step without parts.
    if let step, height > 14 { drawShare(of: step, row, y: middle(index) + 4.5, on: &picture) }
  }

  /// Draws the share of the makespan of a critical step, if its bar has room for the text.
  private func drawShare(
    of step: StepRecord, _ row: TimelineRow, y: Double, on picture: inout TimelinePicture
  ) {
    let isSolid = !row.stretches.contains { $0.kind != .run && $0.kind != .wait }
    guard isSolid, let started = step.started, let share = run.share(of: row), share > 0 else {
      return
    }
    let text = run.share(share)
    let width = x(step.finished ?? started) - x(started)
    guard PictureText.width(text, size: 13, isBold: true) + 10 <= width else { return }
    picture.marks.append(
      .text(
        .init(
          text: text, x: x(started) + width / 2, y: y, size: 13, ink: .onBar, anchor: .middle,
          isBold: true)))
  }

  /// Draws delays as dashed lines, with their lengths where there is room.
  private func drawDelays(
    _ stretches: [TimelineRow.Stretch], _ row: TimelineRow, _ index: Int,
    on picture: inout TimelinePicture
  ) {
    let y = middle(index)
    let byStart = Dictionary(stretches.map { (x($0.from), $0) }) { first, _ in first }
    for bar in bars(of: stretches) {
      let (from, to) = (bar.from, bar.to)
      func line(_ from: Double, _ to: Double) {
        let ink: PictureInk = row.isCritical ? .critical : .faint
        picture.marks.append(
          .line(.init(points: [.init(from, y), .init(to, y)], ink: ink, thickness: 2.5, dash: 4)))
      }
      // A line that several delays share has no text.
      let single = byStart[from].flatMap { x($0.to) == to ? $0.caption : nil }
      let caption = PictureText.printable(single ?? "").replacing("us", with: "µs")
      let room = PictureText.width(caption, size: 12) + 8
      guard !caption.isEmpty, room + 12 <= to - from else {
        line(from, to)
        continue
      }
      let middle = (from + to) / 2
      line(from, middle - room / 2)
      line(middle + room / 2, to)
      picture.marks.append(
        .text(
          .init(text: caption, x: middle, y: y + 4, size: 12, ink: .text, anchor: .middle)))
    }
  }

  /// Draws the marks of a row: a cross where it timed out, and a number at the place of each finding.
  func drawMarks(_ index: Int, on picture: inout TimelinePicture) {
    var taken: [Double] = []
    for mark in rows[index].marks {
      let (x, y) = (x(mark.time), middle(index))
      switch mark.kind {
      case .timeout: Self.addCross(x: min(x, right - 2), y: y, to: &picture)
      case .finding(let number):
        // The number is placed beside the numbers that are there already.
        var x = min(max(x - 9, left), right - 18)
        while taken.contains(where: { abs($0 - x) < 18 }) { x += 20 }
        taken.append(x)
        addBadge(number, x: x, y: y, to: &picture)
      }
    }
  }

  static func addCross(x: Double, y: Double, to picture: inout TimelinePicture) {
    for (ink, thickness) in [(PictureInk.ground, 5.5), (.failure, 2.5)] {
      for sign in [-1.0, 1] {
        let ends = [TimelinePicture.Point(x - 6, y - 6 * sign), .init(x + 6, y + 6 * sign)]
        picture.marks.append(.line(.init(points: ends, ink: ink, thickness: thickness)))
      }
    }
  }

  private func hint(_ row: TimelineRow, _ what: String) -> String {
    var parts = [row.label, what]
    if row.steps.count == 1 {
      let step = run.record.steps[row.steps[0]]
      if let started = step.started {
        parts.append(
          "started at \(started.durationText), after \(started.subtractingClamped(step.submitted).durationText)"
        )
      }
      if let duration = step.duration { parts.append("took \(duration.durationText)") }
      if let lane = step.lane { parts.append("on \(lane)") }
    }
    return PictureText.printable(parts.joined(separator: ", "))
  }

  /// Converts time spans to bars that do not overlap. Bars that could not be distinguished are merged. A row of ten
  /// thousand steps therefore needs no more bars than are visible.
  private func bars(of stretches: [TimelineRow.Stretch]) -> [Bar] {
    let least = 2.0
    let bars = stretches.map { stretch in
      let from = x(stretch.from)
      let to = x(stretch.to)
      // A span without duration is still visible, and lies within the chart.
      return to - from >= least
        ? Bar(from: from, to: to)
        : Bar(from: min(from, right - least), to: min(from, right - least) + least)
    }
    var result: [Bar] = []
    for bar in bars.sorted(by: { ($0.from, $0.to) < ($1.from, $1.to) }) {
      if let last = result.last,
        bar.from < last.to - 0.01 || bar.from - last.to < 0.5 && result.count > 200
      {
        result[result.count - 1].to = max(last.to, bar.to)
      } else {
        result.append(bar)
      }
    }
    return result
  }
}
