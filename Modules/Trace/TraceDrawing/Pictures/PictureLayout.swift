/// Lays out runs one below the other on one slide. They share one time scale, so that their lengths can be compared,
/// unless that would make the short ones unreadable.
struct PictureLayout {
  static let width = 1280.0
  static let margin = 36.0
  static var room: Double { width - 2 * margin }
  /// The maximum number of runs, and of rows in all runs together. A run may always have five rows. Rows of the
  /// critical path are kept first.
  static let mostRuns = 6
  static let mostRows = 26
  private static let mostTimesLonger: Int64 = 8

  private(set) var picture = TimelinePicture(width: PictureLayout.width)
  private var y = PictureLayout.margin

  /// - Complexity: O(n log n) in the number of events.
  init(_ runs: [SavedRun]) {
    let shown = runs.prefix(Self.mostRuns).map { PicturedRun($0) }
    let lengths = shown.map(\.record.makespan)
    // The runs share one scale, unless that would make the short ones unreadable.
    let longest = lengths.max() ?? 0
    let isShared = (lengths.min() ?? 0) >= longest / Self.mostTimesLonger
    let height = max(Self.mostRows / max(shown.count, 1), 5)
    var panels = shown.map { run in
      PicturePanel(
        run, TimelineRows(run.record, height: height, findings: PicturePanel.mostLints),
        length: isShared ? longest : run.record.makespan)
    }
    // The same time has the same horizontal position in all runs.
    let (left, right) = (panels.lazy.map(\.left).max(), panels.lazy.map(\.right).min())
    for index in panels.indices {
      if index > 0 { separate() }
      addHeading(panels[index].run)
      if let left, let right { (panels[index].left, panels[index].right) = (left, right) }
      panels[index].draw(on: &picture, y: y)
      let panel = panels[index]
      y = panel.bottom + 8
      addFooter(panel)
    }
    if runs.isEmpty { add("no runs", size: 15, ink: .faint, advance: 24) }
    if runs.count > shown.count {
      separate()
      let left = runs.count - shown.count
      add(
        "… \(left.grouped) more \(left == 1 ? "run" : "runs")", size: 14, ink: .faint, advance: 22)
    }
    picture.height = (y + Self.margin - 8).rounded()
    picture.title =
      runs.isEmpty ? "no runs" : "Timeline of " + shown.map(\.record.name).joined(separator: ", ")
    let ground = TimelinePicture.Rectangle(
      x: 0, y: 0, width: picture.width, height: picture.height, ink: .ground)
    picture.marks.insert(.rectangle(ground), at: 0)
  }

  private mutating func separate() {
    y += 10
    let ends = [Self.margin, Self.width - Self.margin].map { TimelinePicture.Point($0, y) }
    picture.marks.append(.line(.init(points: ends, ink: .line)))
    y += 22
  }

  // MARK: Text

  private mutating func add(
    _ text: String, size: Double, ink: PictureInk, isBold: Bool = false, advance: Double
  ) {
    y += advance
    let text = PictureText.fit(
      PictureText.printable(text), Self.room, size: size, isBold: isBold)
    picture.marks.append(
      .text(.init(text: text, x: Self.margin, y: y, size: size, ink: ink, isBold: isBold)))
  }

  private mutating func add(sentence: String, ink: PictureInk, lines: Int) {
    let wrapped = PictureText.wrap(
      PictureText.printable(sentence), Self.room, size: 15, lines: lines)
    for line in wrapped { add(line, size: 15, ink: ink, advance: 21) }
  }

  private mutating func addHeading(_ run: PicturedRun) {
    let record = run.record
    add(record.name, size: 24, ink: .text, isBold: true, advance: 20)
    var facts = [
      "makespan \(record.makespan.durationText)", record.outcome.rawValue,
      "work \(record.work.durationText)",
      "blocked \(record.blocked.durationText)", "concurrency \(record.maxConcurrency)",
      "threads \(record.threads)", "\(record.clock.rawValue) clock",
    ]
    if let recording = record.recordingText { facts.append(recording) }
    if record.dropped > 0 { facts.append("\(record.dropped.grouped) events lost") }
    add(facts.joined(separator: "  ·  "), size: 15, ink: .faint, advance: 25)
    if let error = record.error { add(sentence: "Error: " + error, ink: .failure, lines: 2) }
    if let reasons = record.stallReasons {
      add(sentence: reasons.joined(separator: " "), ink: .failure, lines: 4)
    }
    if let critical = run.criticalSentence { add(sentence: critical, ink: .text, lines: 2) }
    if let advice = run.advice { add(sentence: advice, ink: .critical, lines: 2) }
    y += 12
  }

  // MARK: Footer

  private mutating func addFooter(_ panel: PicturePanel) {
    if let leftOut = panel.leftOut { add("… \(leftOut)", size: 13, ink: .faint, advance: 18) }
    addLegend(panel.legend)
    if panel.rows.contains(where: { $0.steps.count > 1 }) {
      add(
        "Steps whose names differ only in a number share a row.", size: 13, ink: .faint,
        advance: 20)
    }
    for (number, lint) in zip(1..., panel.lints) {
      y += 8
      let message = PictureText.wrap(
        PictureText.printable(
          "\(lint.rule)\(lint.count > 1 ? ", \(lint.place)" : ""): \(lint.message)"),
        Self.room - 28, size: 14, lines: 3)
      for (index, line) in message.enumerated() {
        y += 19
        if index == 0 { panel.addBadge(number, x: Self.margin, y: y - 5, to: &picture) }
        picture.marks.append(
          .text(.init(text: line, x: Self.margin + 28, y: y, size: 14, ink: .text)))
      }
    }
    if panel.moreLints > 0 {
      add(
        "… \(panel.moreLints.grouped) more \(panel.moreLints == 1 ? "finding" : "findings")",
        size: 13,
        ink: .faint, advance: 20)
    }
    y += 8
  }

  private mutating func addLegend(_ entries: [PicturePanel.LegendEntry]) {
    guard !entries.isEmpty else { return }
    y += 20
    var x = Self.margin
    for entry in entries {
      let needed = 34 + PictureText.width(entry.text, size: 13)
      if x > Self.margin, x + needed > Self.width - Self.margin {
        x = Self.margin
        y += 20
      }
      entry.draw(x, y, &picture)
      picture.marks.append(
        .text(.init(text: entry.text, x: x + 28, y: y, size: 13, ink: .faint)))
      x += needed + 20
    }
  }
}

extension TimelinePicture {
  /// The timelines of runs, one below the other.
  ///
  /// - Complexity: O(n log n) in the number of events.
  package init(of runs: [SavedRun]) { self = PictureLayout(runs).picture }
}
