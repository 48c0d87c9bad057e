import AsyncSimulation
import TimingTrace
import TraceBasics

/// The result of an exploration, as a JSON line. Fields without a value are null.
struct ExploreRecord {
  let name: String
  let account: ExplorationExecution.Account
  /// The argument for `replay`. Nil if it would be too long, or if nothing was violated.
  let replay: String?
  /// The lint findings in the run under the violating schedule.
  let lints: [LintRecord]?

  var json: String {
    let report = account.report
    return JSONWriter.record("explore") { writer in
      writer.field("name", name)
      writer.field("schedules", report.schedules)
      writer.field("distinct", report.distinct)
      writer.field("chance_of_new", report.chanceOfNew)
      writer.field("violations", report.violations)
      writer.field("ending", account.ending)
      writer.field("replay", replay)
      writer.field("property", report.violation?.finding.property)
      writer.field("detail", report.violation?.finding.detail)
      writer.field("reproducible", report.violation?.isReproducible)
      writer.key("lints")
      if let lints { writer.lints(lints) } else { writer.null() }
    }
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
