import AsyncPatternTesting

/// The verdict on one law of a pattern, as a JSON line.
struct LawRecord: Encodable {
  let record = "law"
  let plugin: String
  let pattern: String
  let law: String
  let verdict: String
  let detail: String?
  let composition: String?
  let moments: [String]?
  let schedule: String?
  let schedules: Int

  init(_ verdict: LawVerdict, of pattern: String, in plugin: String) {
    self.plugin = plugin
    self.pattern = pattern
    law = verdict.law.rawValue
    self.verdict = verdict.judgement.rawValue
    detail = verdict.counterexample?.finding.detail ?? verdict.remark
    composition = verdict.counterexample?.composition
    moments = verdict.counterexample?.moments.map(\.description)
    schedule = verdict.counterexample?.schedule?.description
    schedules = verdict.schedules
  }

  private enum CodingKeys: CodingKey {
    case record, plugin, pattern, law, verdict, detail, composition, moments, schedule, schedules
  }

  /// Encodes missing values as null.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(record, forKey: .record)
    try container.encode(plugin, forKey: .plugin)
    try container.encode(pattern, forKey: .pattern)
    try container.encode(law, forKey: .law)
    try container.encode(verdict, forKey: .verdict)
    try container.encode(detail, forKey: .detail)
    try container.encode(composition, forKey: .composition)
    try container.encode(moments, forKey: .moments)
    try container.encode(schedule, forKey: .schedule)
    try container.encode(schedules, forKey: .schedules)
  }
}
