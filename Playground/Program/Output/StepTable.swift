import AsyncPatterns
import TimingTrace

/// The steps of a run in figures: waiting time, run time, lateness of the end, work, blocked time, slack and lane.
///
/// If there are many steps, repeated ones are left out, since the table of their distribution covers them. If no end is
/// late, there is no column for that.
struct StepTable {
  let record: RunRecord
  let analysis: Analysis
  let style: TerminalStyle

  /// Up to this number of steps, none is left out.
  static let room = 60

  var text: String {
    var shown = Array(record.steps.indices)
    if shown.count > Self.room {
      let counts = Dictionary(grouping: shown) { Self.stem(of: record.steps[$0]) }
      shown.removeAll { (counts[Self.stem(of: record.steps[$0])]?.count ?? 0) > 8 }
    }
    let showsLate = shown.contains { record.steps[$0].late > 0 }
    let rows = shown.prefix(2 * Self.room).map { row($0, showsLate: showsLate) }
    var text = "Steps:\n"
    if !rows.isEmpty {
      text +=
        TextTable(
          columns: ["  step", "what", "outcome", "wait", "run"] + (showsLate ? ["late"] : [])
            + ["work", "blocked", "slack", "lane"], rows: Array(rows),
          shortened: (column: 0, sign: style.ellipsis),
          optional: ["lane", "blocked", "work", "what"]
        ).text(width: style.textWidth) + "\n"
    }
    let left = record.steps.count - rows.count
    if left > 0 {
      text += "  … \(left.of("more step")), most repeated; “trace why STEP” shows one, --json all\n"
    }
    text.removeLast()
    return text
  }

  private func row(_ index: Int, showsLate: Bool) -> [String] {
    let step = record.steps[index]
    var cells = [
      (step.isCritical ? "* " : "  ") + step.numberedPath, step.pattern, step.outcome.rawValue,
      Self.text(step.started.map { $0.subtractingClamped(step.submitted) }),
      Self.text(step.duration),
    ]
    if showsLate { cells.append(Self.positive(step.late)) }
    cells += [
      Self.positive(step.work), Self.positive(step.blocked),
      Self.text(analysis.slack.indices.contains(index) ? analysis.slack[index] : nil),
      step.lane ?? "",
    ]
    return cells
  }

  private struct Stem: Hashable {
    let parent: Int?
    let label: Substring
  }

  private static func stem(of step: StepRecord) -> Stem {
    var label = Substring(step.label)
    while let last = label.last, last.isASCII, last.isNumber { label.removeLast() }
    return Stem(parent: step.parent, label: label)
  }

  private static func positive(_ nanoseconds: Int64) -> String {
    nanoseconds > 0 ? text(nanoseconds) : ""
  }

  private static func text(_ nanoseconds: Int64?) -> String {
    nanoseconds.map(\.durationText) ?? "–"
  }
}
