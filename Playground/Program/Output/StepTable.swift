import AsyncPatterns
import TimingTrace

/// A run's steps in figures: how long each waited, ran, worked and blocked, and where.
struct StepTable {
  let record: RunRecord

  var text: String {
    let rows = record.steps.map { step in
      [
        (step.isCritical ? "* " : "  ") + step.path, step.pattern, step.outcome.rawValue,
        Self.text(step.started.map { $0 - step.submitted }), Self.text(step.duration),
        step.work > 0 ? Self.text(step.work) : "", step.blocked > 0 ? Self.text(step.blocked) : "",
        step.lane ?? "",
      ]
    }
    return TextTable(
      columns: ["  step", "what", "outcome", "wait", "run", "work", "blocked", "lane"], rows: rows
    ).text
  }

  private static func text(_ nanoseconds: Int64?) -> String {
    nanoseconds.map { Duration.nanoseconds($0).shortDescription } ?? "–"
  }
}
