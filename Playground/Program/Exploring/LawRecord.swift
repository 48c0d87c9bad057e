import AsyncPatternTesting
import TraceBasics

/// The verdict on one law of a pattern, as a JSON line. Fields without a value are null.
struct LawRecord {
  let verdict: LawVerdict
  let pattern: String
  let plugin: String

  init(_ verdict: LawVerdict, of pattern: String, in plugin: String) {
    self.verdict = verdict
    self.pattern = pattern
    self.plugin = plugin
  }

  var json: String {
    let counterexample = verdict.counterexample
    return JSONWriter.record("law") { writer in
      writer.field("plugin", plugin)
      writer.field("pattern", pattern)
      writer.field("law", verdict.law.rawValue)
      writer.field("verdict", verdict.judgement.rawValue)
      writer.field("detail", counterexample?.finding.detail ?? verdict.remark)
      writer.field("composition", counterexample?.composition)
      writer.field("moments", counterexample?.moments.map(\.description))
      writer.field("schedule", counterexample?.schedule?.description)
      writer.field("schedules", verdict.schedules)
    }
  }
}
