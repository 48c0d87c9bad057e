import AsyncSimulation
import TimingTrace

/// The result of an exploration, as a JSON line. Fields without a value are null.
struct ExploreRecord: Encodable {
  let name: String
  let account: ExplorationExecution.Account
  /// The argument for `replay`. Nil if it would be too long, or if nothing was violated.
  let replay: String?
  /// The lint findings in the run under the violating schedule.
  let lints: [LintRecord]?

  private enum CodingKeys: String, CodingKey {
    case record, name, schedules, distinct, violations, ending, replay, property, detail, lints
    case isReproducible = "reproducible"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let report = account.report
    try container.encode("explore", forKey: .record)
    try container.encode(name, forKey: .name)
    try container.encode(report.schedules, forKey: .schedules)
    try container.encode(report.distinct, forKey: .distinct)
    try container.encode(report.violations, forKey: .violations)
    try container.encode(account.ending, forKey: .ending)
    try container.encode(replay, forKey: .replay)
    try container.encode(report.violation?.finding.property, forKey: .property)
    try container.encode(report.violation?.finding.detail, forKey: .detail)
    try container.encode(lints, forKey: .lints)
    try container.encode(report.violation?.isReproducible, forKey: .isReproducible)
  }
}

extension ExplorationExecution.Account {
  /// The reason why the exploration ended, in one word.
  fileprivate var ending: String {
    switch (report.ending, stop) {
    case (_, .timeLimit?): "time-limit"
    case (.interrupted, _): "interrupted"
    case (.complete, _): "complete"
    case (.exhausted, _): "exhausted"
    case (.tooManyBlocked, _): "too-many-blocked"
    case (.overdue, _): "time-limit"
    }
  }
}
