internal import AsyncPatterns

extension RunRecord {
  /// The record that JSON stands for, without its lists where it has none; nothing in it is taken on trust.
  init(_ fields: JSONFields) throws(JSONFields.Mismatch) {
    self.init(
      name: try fields.string("name"), pattern: try fields.string("pattern"),
      clock: try fields.word("clock"), outcome: try fields.word("outcome"),
      value: Value(fields["value"]), error: try fields.optionalString("error"),
      makespan: Int64(try fields.count("makespan_ns")), work: try fields.integer("work_ns"),
      blocked: Int64(try fields.count("blocked_ns")),
      maxConcurrency: try fields.count("max_concurrency"), threads: try fields.count("threads"),
      events: try fields.count("events"), dropped: try fields.count("dropped_events"),
      overhead: try fields.optionalNumber("overhead_ns"))
    seed = UInt64(bitPattern: try fields.integer("seed"))
    isCutOff = try fields.bool("cut_off", default: false)
    if fields["standstill"] != nil { standstill = try fields.strings("standstill") }
    if fields["steps"] != nil { try readLists(of: fields) }
  }

  private mutating func readLists(of fields: JSONFields) throws(JSONFields.Mismatch) {
    criticalPath = try fields.strings("critical_path")
    steps = try fields.list("steps") { json throws(JSONFields.Mismatch) in try StepRecord(json) }
    for (index, step) in steps.enumerated() {
      guard let parent = step.parent, !(0..<index).contains(parent) else { continue }
      throw JSONFields.Mismatch(
        message:
          "“parent” of step \(index), \(parent), takes the position of an earlier step, from 0")
    }
    edges = try fields.list("edges") { json throws(JSONFields.Mismatch) in
      let fields = try JSONFields(json, "an edge")
      return EdgeRecord(
        from: try fields.string("from"), to: try fields.string("to"),
        kind: try fields.word("kind"))
    }
    lints = try fields.list("lints") { json throws(JSONFields.Mismatch) in
      let fields = try JSONFields(json, "a lint")
      // Older files have one for each step.
      return LintRecord(
        rule: try fields.string("rule"), step: try fields.string("step"),
        message: try fields.string("message"),
        count: fields["count"] == nil ? 1 : try fields.count("count"),
        steps: fields["steps"] == nil ? nil : try fields.strings("steps"))
    }
    intervals = try fields.list("intervals") { json throws(JSONFields.Mismatch) in
      let fields = try JSONFields(json, "an interval")
      return IntervalRecord(
        kind: try fields.word("kind"), step: try fields.string("step"),
        lane: try fields.string("lane"), from: try fields.integer("from_ns"),
        to: try fields.integer("to_ns"))
    }
    // Files of before there were counters have none.
    guard fields["counters"] != nil else { return }
    counters = try fields.list("counters") { json throws(JSONFields.Mismatch) in
      try CounterRecord(json)
    }
  }
}

extension CounterRecord {
  fileprivate init(_ json: JSONValue) throws(JSONFields.Mismatch) {
    let fields = try JSONFields(json, "a counter")
    self.init(
      name: try fields.string("name"), step: try fields.string("step"),
      points: try fields.list("points") { json throws(JSONFields.Mismatch) in
        let fields = try JSONFields(json, "a point of a counter")
        guard let value = try fields.optionalNumber("value") else {
          throw fields.mismatch("value", "a number")
        }
        return Point(time: try fields.integer("at_ns"), value: value)
      })
  }
}

extension JSONFields {
  fileprivate func strings(_ name: String) throws(Mismatch) -> [String] {
    try list(name) { json throws(Mismatch) in
      guard case .string(let string) = json else { throw mismatch(name, "a list of strings") }
      return string
    }
  }
}

extension StepRecord {
  fileprivate init(_ json: JSONValue) throws(JSONFields.Mismatch) {
    let fields = try JSONFields(json, "a step")
    self.init(
      label: try fields.string("label"), path: try fields.string("path"),
      pattern: try fields.string("pattern"), submitted: try fields.integer("submitted_ns"),
      started: try fields.optionalInteger("started_ns"),
      finished: try fields.optionalInteger("finished_ns"), lane: try fields.optionalString("lane"),
      outcome: try fields.word("outcome"), error: try fields.optionalString("error"),
      parent: try fields.optionalInteger("parent").map { Int($0) },
      isCritical: try fields.bool("critical", default: false),
      work: try fields.integer("work_ns"), blocked: try fields.integer("blocked_ns"),
      late: try fields.optionalInteger("late_ns") ?? 0,
      isLeaf: try fields.bool("leaf", default: true),
      finishRank: try fields.optionalInteger("finish_rank").map { Int($0) })
  }
}
