internal import TraceBasics

extension Comparison {
  /// The comparison as one line of JSON. The order of the fields never changes.
  ///
  /// The lists `warnings`, `steps`, `unmatched`, `divergence`, `costs` and `failures` are omitted if they are empty.
  public var json: String {
    var writer = JSONWriter()
    writer.comparison(self)
    return writer.text
  }
}

extension JSONWriter {
  package mutating func comparison(_ comparison: Comparison) {
    object { writer in
      writer.field("record", "compare")
      writer.field("metric", comparison.metric)
      writer.field("baseline", comparison.rows.first?.name)
      writer.objects("rows", comparison.rows) { $0.fields(of: $1) }
      writer.field("clock", comparison.clock.rawValue)
      writer.field("threshold", comparison.threshold)
      if let subject = comparison.subject { writer.field("name", subject) }
      if !comparison.warnings.isEmpty { writer.field("warnings", comparison.warnings) }
      if !comparison.steps.isEmpty {
        writer.objects("steps", comparison.steps) { $0.fields(of: $1) }
      }
      if !comparison.unmatched.isEmpty {
        writer.objects("unmatched", comparison.unmatched) { writer, step in
          writer.field("path", step.path)
          if step.start > 1 { writer.field("start", step.start) }
          writer.field("in", step.side)
          writer.field("not_in", step.missingIn)
        }
      }
      if !comparison.divergences.isEmpty {
        writer.objects("divergence", comparison.divergences) { $0.fields(of: $1) }
      }
      if !comparison.costs.isEmpty {
        writer.objects("costs", comparison.costs) { $0.fields(of: $1) }
      }
    }
  }

  fileprivate mutating func fields(of row: Comparison.Row) {
    field("name", row.name)
    field("runs", row.runs)
    if row.runsLeftOut > 0 { field("runs_left_out", row.runsLeftOut) }
    if !row.failures.isEmpty {
      objects("failures", row.failures) { writer, failure in
        writer.field("error", failure.error)
        writer.field("runs", failure.runs)
      }
    }
    field("median_ns", row.median?.rounded())
    field("ci_low_ns", row.interval?.lowerBound.rounded())
    field("ci_high_ns", row.interval?.upperBound.rounded())
    field("ratio", row.ratio)
    field("ratio_ci_low", row.ratioInterval?.lowerBound)
    field("ratio_ci_high", row.ratioInterval?.upperBound)
    field("p", row.p)
    field("verdict", row.verdict.rawValue)
    if let p = row.uncorrectedP { field("p_uncorrected", p) }
    if let note = row.note { field("note", note) }
    guard let box = row.box else { return }
    object("box") { writer in
      writer.field("low_ns", box.low.rounded())
      writer.field("q1_ns", box.firstQuartile.rounded())
      writer.field("median_ns", box.median.rounded())
      writer.field("q3_ns", box.thirdQuartile.rounded())
      writer.field("high_ns", box.high.rounded())
      writer.list("outliers_ns", box.outliers) { $0.number($1.rounded()) }
    }
  }

  fileprivate mutating func fields(of step: Comparison.StepRow) {
    field("path", step.path)
    if let other = step.otherPath { field("other_path", other) }
    if step.start > 1 { field("start_number", step.start) }
    field("name", step.name)
    measure("started", step.started)
    measure("duration", step.duration)
    measure("wait", step.wait)
  }

  private mutating func measure(_ name: StaticString, _ measure: Comparison.Measure) {
    object(name) { writer in
      writer.field("baseline_ns", measure.baseline?.rounded())
      writer.field("median_ns", measure.candidate?.rounded())
      writer.field("p", measure.p)
      writer.field("verdict", measure.verdict.rawValue)
    }
  }

  fileprivate mutating func fields(of named: Comparison.NamedDivergence) {
    let difference = named.divergence.difference
    field("name", named.name)
    field("kind", difference.kind.rawValue)
    field("step", difference.path)
    field("at_ns", difference.time)
    field("baseline", difference.first)
    field("other", difference.second)
    objects("sides", named.divergence.rows) { writer, row in
      writer.entry("baseline", row.first)
      writer.entry("other", row.second)
      writer.field("differs", row.isDifferent)
    }
  }

  private mutating func entry(_ name: StaticString, _ entry: Divergence.Entry?) {
    key(name)
    guard let entry else { return null() }
    object { writer in
      writer.field("at_ns", entry.time)
      writer.field("step", entry.step)
      writer.field("text", entry.text)
    }
  }

  fileprivate mutating func fields(of cost: Comparison.Cost) {
    field("name", cost.name)
    field("work_ns", cost.work)
    field("blocked_ns", cost.blocked)
    field("main_held_ns", cost.mainHeld)
    objects("findings", cost.findings) { writer, finding in
      writer.field("rule", finding.rule)
      writer.field("count", finding.count)
    }
  }
}
