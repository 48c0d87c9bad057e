internal import AsyncPatterns

extension RunRecord {
  /// The record as one line of JSON, its fields always in the same order.
  ///
  /// `counters` holds what was recorded of things that change:
  /// `{"name":"opacity","step":"fadeIn","points":[{"at_ns":0,"value":0},…]}`, each value since when, in
  /// nanoseconds since the start.
  ///
  /// - Complexity: O(n) in the number of steps, edges, intervals and points of counters.
  public var json: String {
    var writer = JSONWriter()
    writer.run(self)
    return writer.text
  }
}

extension JSONWriter {
  mutating func run(_ run: RunRecord) {
    object { writer in
      writer.totals(of: run)
      writer.field("critical_path", run.criticalPath)
      writer.key("steps")
      writer.array { writer in for step in run.steps { writer.step(step) } }
      writer.key("edges")
      writer.array { writer in for edge in run.edges { writer.edge(edge) } }
      writer.key("lints")
      writer.array { writer in for lint in run.lints { writer.lint(lint) } }
      writer.key("intervals")
      writer.array { writer in for interval in run.intervals { writer.interval(interval) } }
      writer.key("counters")
      writer.array { writer in for counter in run.counters { writer.counter(counter) } }
      writer.counts(of: run)
    }
  }

  private mutating func totals(of run: RunRecord) {
    field("record", run.record)
    field("name", run.name)
    field("pattern", run.pattern)
    field("clock", run.clock.rawValue)
    field("seed", run.seed)
    field("outcome", run.outcome.rawValue)
    key("value")
    value(run.value)
    field("error", run.error)
    if let standstill = run.standstill { field("standstill", standstill) }
    field("makespan_ns", run.makespan)
    field("work_ns", run.work)
    field("blocked_ns", run.blocked)
    field("max_concurrency", run.maxConcurrency)
    field("threads", run.threads)
  }

  private mutating func counts(of run: RunRecord) {
    field("events", run.events)
    field("dropped_events", run.dropped)
    if let overhead = run.overhead { field("overhead_ns", overhead) }
    if run.isCutOff {
      key("cut_off")
      bool(true)
    }
  }

  private mutating func step(_ step: StepRecord) {
    object { writer in
      writer.field("label", step.label)
      writer.field("path", step.path)
      writer.field("pattern", step.pattern)
      writer.field("submitted_ns", step.submitted)
      writer.field("started_ns", step.started)
      writer.field("finished_ns", step.finished)
      writer.field("lane", step.lane)
      writer.field("outcome", step.outcome.rawValue)
      if let error = step.error { writer.field("error", error) }
      if let parent = step.parent { writer.field("parent", parent) }
      writer.key("critical")
      writer.bool(step.isCritical)
      writer.field("work_ns", step.work)
      writer.field("blocked_ns", step.blocked)
      writer.field("late_ns", step.late)
      writer.key("leaf")
      writer.bool(step.isLeaf)
      if let rank = step.finishRank { writer.field("finish_rank", rank) }
    }
  }

  private mutating func edge(_ edge: EdgeRecord) {
    object { writer in
      writer.field("from", edge.from)
      writer.field("to", edge.to)
      writer.field("kind", edge.kind.rawValue)
    }
  }

  private mutating func lint(_ lint: LintRecord) {
    object { writer in
      writer.field("rule", lint.rule)
      writer.field("step", lint.step)
      writer.field("message", lint.message)
      writer.field("count", lint.count)
      if lint.steps.count > 1 { writer.field("steps", lint.steps) }
      if let rule = LintRule.named(lint.rule) { writer.field("page", rule.page) }
    }
  }

  private mutating func interval(_ interval: IntervalRecord) {
    object { writer in
      writer.field("kind", interval.kind.rawValue)
      writer.field("step", interval.step)
      writer.field("lane", interval.lane)
      writer.field("from_ns", interval.from)
      writer.field("to_ns", interval.to)
    }
  }

  private mutating func counter(_ counter: CounterRecord) {
    object { writer in
      writer.field("name", counter.name)
      writer.field("step", counter.step)
      writer.key("points")
      writer.array { writer in
        for point in counter.points {
          writer.object { writer in
            writer.field("at_ns", point.time)
            writer.field("value", point.value)
          }
        }
      }
    }
  }
}
