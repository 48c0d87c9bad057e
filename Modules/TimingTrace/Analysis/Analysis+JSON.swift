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
  ///   - steps: of the record, whose paths the line names.
  ///   - advice: where to begin to make it shorter, as `SavedRun.advice` has it.
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
      writer.key("dispatch_gaps")
      writer.object { writer in
        writer.field("count", dispatchGaps.count)
        writer.field("total_ns", dispatchGaps.total)
        writer.field("longest_ns", dispatchGaps.longest)
      }
      writer.field("mean_concurrency", meanConcurrency)
      writer.field("max_concurrency", maxConcurrency)
      writer.key("concurrency")
      writer.array { writer in
        for point in concurrency {
          writer.object { writer in
            writer.field("at_ns", point.time)
            writer.field("count", point.count)
          }
        }
      }
      writer.key("lanes")
      writer.array { writer in
        for lane in lanes { writer.object { writer in writer.fields(of: lane) } }
      }
      writer.key("critical_path")
      writer.array { writer in
        for step in criticalPath { writer.criticalStep(step, share: share(of: step.time)) }
      }
      writer.field("lead_ns", lead)
      writer.field("tail_ns", tail)
      writer.key("steps")
      writer.array { writer in
        for (step, (ready, slack)) in zip(steps, zip(ready, slack)) {
          writer.object { writer in
            writer.field("path", step.path)
            writer.field("ready_ns", ready)
            writer.field("slack_ns", slack)
          }
        }
      }
      writer.key("repeated")
      writer.array { writer in for family in repeated { writer.distribution(family) } }
      writer.field("events", events)
      writer.field("recording_ns", recording)
      writer.field("advice", advice)
    }
    return writer.text
  }

  /// What part of the makespan a time is; 0 if the run took none.
  public func share(of time: Int64) -> Double {
    makespan > 0 ? Double(time) / Double(makespan) : 0
  }
}

extension JSONWriter {
  mutating func fields(of lane: LaneUse) {
    field("lane", lane.lane)
    field("work_ns", lane.work)
    field("blocked_ns", lane.blocked)
    field("idle_ns", lane.idle)
  }

  fileprivate mutating func criticalStep(_ step: CriticalStep, share: Double) {
    object { writer in
      writer.field("step", step.path)
      writer.field("at_ns", step.from)
      writer.field("time_ns", step.time)
      writer.field("share", share)
      guard let handOver = step.handOver else { return }
      writer.key("hand_over")
      writer.object { writer in
        writer.field("kind", handOver.kind.rawValue)
        writer.field("from", handOver.from)
        writer.field("to", handOver.to)
        writer.field("before", handOver.before.rawValue)
        writer.field("delay_ns", handOver.delay)
        writer.field("pause", handOver.pause?.rawValue)
      }
    }
  }

  fileprivate mutating func distribution(_ family: Distribution) {
    object { writer in
      writer.field("name", family.name)
      writer.field("groups", family.groups)
      writer.field("count", family.count)
      writer.field("min_ns", family.min)
      writer.field("p50_ns", family.p50)
      writer.field("p95_ns", family.p95)
      writer.field("p99_ns", family.p99)
      writer.field("max_ns", family.max)
      writer.field("total_ns", family.total)
      writer.key("shape")
      writer.array { writer in for count in family.shape { writer.integer(count) } }
    }
  }
}
