import AsyncSimulation
import TimingTrace

/// What an exploration came to, as a JSON line. What there is nothing to say of is null.
struct ExploreRecord: Encodable {
  let name: String
  let account: ExplorationExecution.Account
  /// What `replay` takes; nil where it is too long, and where nothing is violated.
  let replay: String?
  /// What was found in the run under the schedule of the violation.
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
  /// Why it ended, in a word.
  fileprivate var ending: String {
    switch (report.ending, stop) {
    case (_, .timeLimit?): "time-limit"
    case (.interrupted, _): "interrupted"
    case (.complete, _): "complete"
    case (.exhausted, _): "exhausted"
    case (.tooManyParked, _): "too-many-parked"
    case (.overdue, _): "time-limit"
    }
  }
}
