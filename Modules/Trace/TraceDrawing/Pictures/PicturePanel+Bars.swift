extension PicturePanel {
  static let waitFill = TimelinePicture.Fill.hatched(distance: 7, thickness: 1.2)
  static let blockedFill = TimelinePicture.Fill.hatched(distance: 6, thickness: 3)

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
    for kind in TimelineRow.Kind.allCases {
      let bars = bars(of: row.stretches.filter { $0.kind == kind })
      for bar in bars {
        switch kind {
        case .wait: add(bar, .wait, Self.waitFill, hint: hint(row, "waits"))
        case .run: add(bar, ink(of: row, step), .solid, hint: hint(row, "runs"))
        case .blocked:
          // The running bar shows through, so that both are visible.
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
    if let step { drawShare(of: step, row, y: middle(index) + 4.5, on: &picture) }
  }

  /// Draws the share of the makespan of a critical step, if its bar has room for the text.
  private func drawShare(
    of step: StepRecord, _ row: TimelineRow, y: Double, on picture: inout TimelinePicture
  ) {
    guard step.blocked == 0, let started = step.started, let share = run.share(of: row),
      share > 0
    else { return }
    let text = run.share(share)
    let width = x(step.finished ?? started) - x(started)
    guard PictureText.width(text, size: 13, isBold: true) + 10 <= width else { return }
    picture.marks.append(
      .text(
        .init(
          text: text, x: x(started) + width / 2, y: y, size: 13, ink: .onBar, anchor: .middle,
          isBold: true)))
  }

  private func ink(of row: TimelineRow, _ step: StepRecord?) -> PictureInk {
    switch row.state {
    case .failure: .failure
    case .cancelled, .unfinished, .skipped, .waiting: row.isCritical ? .critical : .wait
    case .success: step != nil && row.isCritical ? .critical : .run
    }
  }

  private func hint(_ row: TimelineRow, _ what: String) -> String {
    var parts = [row.label, what]
    if row.steps.count == 1 {
      let step = run.record.steps[row.steps[0]]
      func time(_ nanoseconds: Int64) -> String {
        Duration.nanoseconds(nanoseconds).shortDescription
      }
      if let started = step.started {
        parts.append(
          "started at \(time(started)), after \(time(started.subtractingClamped(step.submitted)))")
      }
      if let duration = step.duration { parts.append("took \(time(duration))") }
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
