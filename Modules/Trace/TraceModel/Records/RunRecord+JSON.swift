internal import TraceBasics

extension RunRecord {
  /// The record as one line of JSON. The order of the fields never changes.
  ///
  /// `counters` contains the recorded values of things that change:
  /// `{"name":"opacity","step":"fadeIn","points":[{"at_ns":0,"value":0},…]}`. Each value has the time from which it
  /// holds, in nanoseconds since the start.
  ///
  /// - Complexity: O(n) in the number of steps, edges, intervals and points of counters.
  public var json: String {
    var writer = JSONWriter()
    writer.run(self)
    return writer.text
  }
}

extension JSONWriter {
  package mutating func run(_ run: RunRecord) {
    object { writer in
      writer.totals(of: run)
      writer.field("critical_path", run.criticalPath)
      writer.objects("steps", run.steps) { $0.fields(of: $1) }
      writer.objects("edges", run.edges) { writer, edge in
        writer.field("from", edge.from)
        writer.field("to", edge.to)
        writer.field("kind", edge.kind.rawValue)
      }
      writer.key("lints")
      writer.lints(run.lints)
      writer.objects("intervals", run.intervals) { writer, interval in
        writer.field("kind", interval.kind.rawValue)
        writer.field("step", interval.step)
        writer.field("lane", interval.lane)
        writer.field("from_ns", interval.from)
        writer.field("to_ns", interval.to)
      }
      writer.objects("counters", run.counters) { writer, counter in
        writer.field("name", counter.name)
        writer.field("step", counter.step)
        writer.objects("points", counter.points) { writer, point in
          writer.field("at_ns", point.time)
          writer.field("value", point.value)
        }
      }
      writer.counts(of: run)
    }
  }

  private mutating func totals(of run: RunRecord) {
    field("record", "run")
    field("name", run.name)
    field("pattern", run.pattern)
    field("clock", run.clock.rawValue)
    field("seed", run.seed)
    field("outcome", run.outcome.rawValue)
    key("value")
    value(run.value)
    field("error", run.error)
    if let reasons = run.stallReasons { field("stall", reasons) }
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
    if run.isIncomplete { field("incomplete", true) }
    if run.causesAreInferred { field("causes", "inferred") }
  }

  private mutating func fields(of step: StepRecord) {
    field("label", step.label)
    field("path", step.path)
    field("pattern", step.pattern)
    field("submitted_ns", step.submitted)
    field("started_ns", step.started)
    field("finished_ns", step.finished)
    if let cancelled = step.cancelled { field("cancelled_ns", cancelled) }
    if let timedOut = step.timedOut { field("timed_out_ns", timedOut) }
    if let attempt = step.attempt { field("attempt", attempt) }
    field("lane", step.lane)
    field("outcome", step.outcome.rawValue)
    if let error = step.error { field("error", error) }
    if let waitsFor = step.waitsFor { field("waits_for", waitsFor) }
    if let parent = step.parent { field("parent", parent) }
    field("critical", step.isCritical)
    field("work_ns", step.work)
    field("blocked_ns", step.blocked)
    field("late_ns", step.late)
    field("leaf", step.isLeaf)
    if let rank = step.finishRank { field("finish_rank", rank) }
  }

  package mutating func lints(_ lints: [LintRecord]) {
    array { writer in
      for lint in lints { writer.object { $0.fields(of: lint) } }
    }
  }

  private mutating func fields(of lint: LintRecord) {
    field("rule", lint.rule)
    field("step", lint.step)
    field("message", lint.message)
    field("count", lint.count)
    if lint.steps.count > 1 { field("steps", lint.steps) }
    if let rule = LintRule.named(lint.rule) { field("page", rule.page) }
  }
}
