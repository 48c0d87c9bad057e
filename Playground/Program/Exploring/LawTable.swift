import AsyncPatternTesting
import TimingTrace

/// The verdicts on the laws of some patterns, as text for people.
struct LawTable {
  let reports: [LawReport]
  let style: TerminalStyle

  /// A table of patterns and laws, then the remarks on laws that could not be checked. For each law whose verdict
  /// differs from the manual, it also describes what happened.
  var text: String {
    let accounts = reports.flatMap { report in
      report.verdicts.filter { !$0.isAsStated }.map { account(of: $0, in: report) }
    }
    return ([([table] + remarks).joined(separator: "\n")] + accounts).joined(separator: "\n\n")
  }

  /// One row for each pattern and one column for each law, or the other way round if the window is too narrow for that.
  private var table: String {
    let wide = TextTable(
      columns: ["pattern"] + Law.allCases.map(\.heading),
      rows: reports.map { report in [report.pattern] + Law.allCases.map { Self.cell(report[$0]) } }
    ).text
    let widest = wide.split(separator: "\n").map(\.count).max() ?? 0
    guard let width = style.textWidth, widest > width else { return wide }
    return TextTable(
      columns: ["law"] + reports.map(\.pattern),
      rows: Law.allCases.map { law in [law.heading] + reports.map { Self.cell($0[law]) } }
    ).text
  }

  private static func cell(_ verdict: LawVerdict?) -> String { verdict?.judgement.cell ?? "" }

  /// The remarks on each pattern, without repetitions: a pattern that cannot run has one remark for all laws.
  private var remarks: [String] {
    reports.flatMap { report in
      var remarks: [String] = []
      for case let remark? in report.verdicts.map(\.remark) where !remarks.contains(remark) {
        remarks.append(remark)
      }
      return remarks.map { sentence("\(report.pattern): \($0)") }
    }
  }

  private func account(of verdict: LawVerdict, in report: LawReport) -> String {
    let heading = "\(report.pattern): \(verdict.law.rawValue)"
    guard let counterexample = verdict.counterexample else {
      return heading + "\n"
        + sentence(
          "Its manual says that it breaks this law, but it kept the law in \(verdict.schedules) schedules. "
            + "Remove the law from “breaks”.")
    }
    let moments = ScheduleText(
      moments: counterexample.moments, sharedCount: counterexample.sharedCount,
      next: counterexample.nextWhenShared)
    var lines = [heading, sentence(counterexample.finding.detail)]
    lines += [sentence("in " + counterexample.composition)] + moments.lines(style)
    if let schedule = counterexample.schedule { lines.append(sentence("schedule: \(schedule)")) }
    if !counterexample.isReproducible, !counterexample.hasHung {
      lines.append(sentence("Not every run of that schedule shows it."))
    }
    return lines.joined(separator: "\n")
  }

  private func sentence(_ text: String) -> String {
    style.wrapped("  " + TerminalText.printable(text, style: .unicode))
  }
}

extension LawVerdict.Judgement {
  fileprivate var cell: String {
    switch self {
    case .kept: "kept"
    case .broken: "BROKEN"
    case .brokenOnPurpose: "on purpose"
    case .notBroken: "NOT BROKEN"
    case .skipped: "-"
    }
  }
}

extension Law {
  /// The heading of the law's column.
  fileprivate var heading: String {
    switch self {
    case .completesExactlyOnce: "completes once"
    case .startsNoStepTwice: "starts once"
    case .startsNothingAfterCancellation: "cancelled"
    case .deliversFailure: "failure"
    case .leavesNothingBehind: "left behind"
    case .isDeterministic: "same trace"
    case .blocksNoThread: "no blocking"
    }
  }
}
