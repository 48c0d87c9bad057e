extension Comparison {
  /// The comparison as one line of JSON, its fields always in the same order.
  ///
  /// Lists that have nothing to tell are left out.
  public var json: String {
    var writer = JSONWriter()
    writer.comparison(self)
    return writer.text
  }
}

extension JSONWriter {
  mutating func comparison(_ comparison: Comparison) {
    object { writer in
      writer.field("record", "compare")
      writer.field("metric", comparison.metric)
      writer.field("baseline", comparison.rows.first?.name)
      writer.list("rows", comparison.rows) { $0.row($1) }
      writer.field("clock", comparison.clock.rawValue)
      writer.field("threshold", comparison.threshold)
      if let subject = comparison.subject { writer.field("name", subject) }
      if !comparison.warnings.isEmpty { writer.field("warnings", comparison.warnings) }
      if !comparison.steps.isEmpty { writer.list("steps", comparison.steps) { $0.step($1) } }
      if !comparison.unmatched.isEmpty {
        writer.list("unmatched", comparison.unmatched) { writer, step in
          writer.object { writer in
            writer.field("path", step.path)
            if step.start > 1 { writer.field("start", step.start) }
            writer.field("in", step.side)
            writer.field("not_in", step.missingIn)
          }
        }
      }
      if !comparison.divergences.isEmpty {
        writer.list("divergence", comparison.divergences) { $0.divergence($1) }
      }
      if !comparison.costs.isEmpty { writer.list("costs", comparison.costs) { $0.cost($1) } }
    }
  }

  fileprivate mutating func list<Element>(
    _ name: StaticString, _ elements: [Element], _ body: (inout JSONWriter, Element) -> Void
  ) {
    key(name)
    array { writer in for element in elements { body(&writer, element) } }
  }

  fileprivate mutating func row(_ row: Comparison.Row) {
    object { writer in
      writer.field("name", row.name)
      writer.field("runs", row.runs)
      if row.runsLeftOut > 0 { writer.field("runs_left_out", row.runsLeftOut) }
      writer.field("median_ns", row.median?.rounded())
      writer.field("ci_low_ns", row.interval?.lowerBound.rounded())
      writer.field("ci_high_ns", row.interval?.upperBound.rounded())
      writer.field("ratio", row.ratio)
      writer.field("ratio_ci_low", row.ratioInterval?.lowerBound)
      writer.field("ratio_ci_high", row.ratioInterval?.upperBound)
      writer.field("p", row.p)
      writer.field("verdict", row.verdict.rawValue)
      if let p = row.uncorrectedP { writer.field("p_uncorrected", p) }
      if let note = row.note { writer.field("note", note) }
      guard let box = row.box else { return }
      writer.key("box")
      writer.object { writer in
        writer.field("low_ns", box.low.rounded())
        writer.field("q1_ns", box.firstQuartile.rounded())
        writer.field("median_ns", box.median.rounded())
        writer.field("q3_ns", box.thirdQuartile.rounded())
        writer.field("high_ns", box.high.rounded())
        writer.list("outliers_ns", box.outliers) { $0.number($1.rounded()) }
      }
    }
  }

  fileprivate mutating func step(_ step: Comparison.StepRow) {
    func measure(
      _ name: StaticString, _ measure: Comparison.Measure, _ writer: inout JSONWriter
    ) {
      writer.key(name)
      writer.object { writer in
        writer.field("baseline_ns", measure.baseline?.rounded())
        writer.field("median_ns", measure.candidate?.rounded())
        writer.field("p", measure.p)
        writer.field("verdict", measure.verdict.rawValue)
      }
    }
    object { writer in
      writer.field("path", step.path)
      if let other = step.otherPath { writer.field("other_path", other) }
      if step.start > 1 { writer.field("start_number", step.start) }
      writer.field("name", step.name)
      measure("started", step.started, &writer)
      measure("duration", step.duration, &writer)
      measure("wait", step.wait, &writer)
    }
  }

  fileprivate mutating func divergence(_ named: Comparison.NamedDivergence) {
    let difference = named.divergence.difference
    func entry(_ entry: Divergence.Entry?, _ name: StaticString, _ writer: inout JSONWriter) {
      writer.key(name)
      guard let entry else { return writer.null() }
      writer.object { writer in
        writer.field("at_ns", entry.time)
        writer.field("step", entry.step)
        writer.field("text", entry.text)
      }
    }
    object { writer in
      writer.field("name", named.name)
      writer.field("kind", difference.kind.rawValue)
      writer.field("step", difference.path)
      writer.field("at_ns", difference.time)
      writer.field("baseline", difference.first)
      writer.field("other", difference.second)
      writer.list("sides", named.divergence.rows) { writer, row in
        writer.object { writer in
          entry(row.first, "baseline", &writer)
          entry(row.second, "other", &writer)
          writer.key("differs")
          writer.bool(row.isDifferent)
        }
      }
    }
  }

  fileprivate mutating func cost(_ cost: Comparison.Cost) {
    object { writer in
      writer.field("name", cost.name)
      writer.field("work_ns", cost.work)
      writer.field("blocked_ns", cost.blocked)
      writer.field("main_held_ns", cost.mainHeld)
      writer.list("findings", cost.findings) { writer, finding in
        writer.object { writer in
          writer.field("rule", finding.rule)
          writer.field("count", finding.count)
        }
      }
    }
  }
}
