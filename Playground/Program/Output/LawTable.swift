import AsyncPatternTesting

/// What has become of the laws of some patterns, for people.
enum LawTable {
  /// A table, patterns by laws; and under it, of each law that is not as the manual says, what happened.
  static func text(_ reports: [LawReport]) -> String {
    let table = TextTable(
      columns: ["pattern"] + Law.allCases.map(\.heading) + [""], rows: reports.map(row))
    let accounts = reports.flatMap { report in
      report.verdicts.filter { !$0.isAsStated }.map { account(of: $0, in: report) }
    }
    return ([table.text] + accounts).joined(separator: "\n\n")
  }

  private static func row(_ report: LawReport) -> [String] {
    let cells = Law.allCases.map { report[$0].map(\.judgement.cell) ?? "" }
    // Each remark once: a pattern that cannot be run has one and the same for all laws.
    var remarks: [String] = []
    for case let remark? in report.verdicts.map(\.remark) where !remarks.contains(remark) {
      remarks.append(remark)
    }
    return [report.pattern] + cells + [remarks.joined(separator: "; ")]
  }

  private static func account(of verdict: LawVerdict, in report: LawReport) -> String {
    let heading = "\(report.pattern): \(verdict.law.rawValue)"
    guard let counterexample = verdict.counterexample else {
      return "\(heading): its manual says that it breaks this law, and in \(verdict.schedules) "
        + "schedules it did not; take the law out of “breaks”"
    }
    let lines = "\(counterexample)".split(separator: "\n").map { "  \($0)" }
    return ([heading] + lines).joined(separator: "\n")
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
  /// What stands above its column.
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
