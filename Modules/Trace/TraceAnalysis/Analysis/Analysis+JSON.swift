internal import TraceBasics

extension Analysis {
  /// The analysis as one line of JSON.
  ///
  /// ```
  /// {"record":"analysis","name":"…","outcome":"success","makespan_ns":0,"work_ns":0,"blocked_ns":0,
  ///  "dependency_wait_ns":0,"queue_wait_ns":0,"idle_ns":0,
  ///  "dispatch_gaps":{"count":0,"total_ns":0,"longest_ns":0},"mean_concurrency":1,"max_concurrency":1,
  ///  "concurrency":[{"at_ns":0,"count":1}],
  ///  "lanes":[{"lane":"pool-1","work_ns":0,"blocked_ns":0,"idle_ns":0}],
  ///  "critical_path":[{"step":"b","at_ns":0,"time_ns":0,"share":0.5,
  ///   "hand_over":{"kind":"dependency","from":"a","to":"b","before":"start","delay_ns":0,"pause":null}}],"lead_ns":0,"tail_ns":0,
  ///  "steps":[{"path":"a","ready_ns":0,"slack_ns":0}],
  ///  "repeated":[{"name":"page","groups":1,"count":2,"min_ns":0,"p50_ns":0,"p95_ns":0,"p99_ns":0,"max_ns":0,
  ///   "total_ns":0,"shape":[2,0,0,0,0,0,0,0,0,0,0,0]}],"events":0,"recording_ns":null,"advice":null}
  /// ```
  ///
  /// - Parameters:
  ///   - steps: the steps of the record. The line contains their paths.
  ///   - advice: where to start in order to shorten the run, as in `SavedRun.advice`.
  /// - Complexity: O(n) in the number of steps.
  public func json(_ steps: [StepRecord], advice: String? = nil) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("record", "analysis")
      writer.field("name", name)
      writer.field("outcome", outcome.rawValue)
      writer.field("makespan_ns", makespan)
      writer.field("work_ns", work)
      writer.field("blocked_ns", blocked)
      writer.field("dependency_wait_ns", dependencyWait)
      writer.field("queue_wait_ns", queueWait)
      writer.field("idle_ns", idle)
      writer.object("dispatch_gaps") { writer in
        writer.field("count", dispatchGaps.count)
        writer.field("total_ns", dispatchGaps.total)
        writer.field("longest_ns", dispatchGaps.longest)
      }
      writer.field("mean_concurrency", meanConcurrency)
      writer.field("max_concurrency", maxConcurrency)
      writer.objects("concurrency", concurrency) { writer, point in
        writer.field("at_ns", point.time)
        writer.field("count", point.count)
      }
      writer.objects("lanes", lanes) { $0.fields(of: $1) }
      writer.objects("critical_path", criticalPath) { $0.fields(of: $1, share: share(of: $1.time)) }
      writer.field("lead_ns", lead)
      writer.field("tail_ns", tail)
      writer.objects("steps", zip(steps, zip(ready, slack))) { writer, step in
        writer.field("path", step.0.path)
        writer.field("ready_ns", step.1.0)
        writer.field("slack_ns", step.1.1)
      }
      writer.objects("repeated", repeated) { $0.fields(of: $1) }
      writer.field("events", events)
      writer.field("recording_ns", recording)
      writer.field("advice", advice)
    }
    return writer.text
  }

  /// The share of the makespan that a time makes up; 0 if the makespan is zero.
  public func share(of time: Int64) -> Double {
    makespan > 0 ? Double(time) / Double(makespan) : 0
  }
}

extension JSONWriter {
  package mutating func fields(of lane: LaneUse) {
    field("lane", lane.lane)
    field("work_ns", lane.work)
    field("blocked_ns", lane.blocked)
    field("idle_ns", lane.idle)
  }

  fileprivate mutating func fields(of step: CriticalStep, share: Double) {
    field("step", step.path)
    field("at_ns", step.from)
    field("time_ns", step.time)
    field("share", share)
    guard let handOver = step.handOver else { return }
    object("hand_over") { writer in
      writer.field("kind", handOver.kind.rawValue)
      writer.field("from", handOver.from)
      writer.field("to", handOver.to)
      writer.field("before", handOver.before.rawValue)
      writer.field("delay_ns", handOver.delay)
      writer.field("pause", handOver.pause?.rawValue)
    }
  }

  fileprivate mutating func fields(of family: Distribution) {
    field("name", family.name)
    field("groups", family.groups)
    field("count", family.count)
    field("min_ns", family.min)
    field("p50_ns", family.p50)
    field("p95_ns", family.p95)
    field("p99_ns", family.p99)
    field("max_ns", family.max)
    field("total_ns", family.total)
    list("shape", family.shape) { $0.integer($1) }
  }
}
