import OperationGraph
import PatternTesting
import Testing
import TimingTrace

/// Records runs of graphs on the virtual clock, without a pattern and without a run of the playground.
struct TracedRun: Sendable {
  let recorder = Recorder(clock: .virtual)
  let stage: Stage

  init(workers: Int = 4, seed: UInt64 = 0) {
    stage = Stage(workers: workers, seed: seed, trace: recorder)
  }

  var runtime: SimulatedRuntime { stage.runtime }

  /// Returns the work of a function that occupies its worker.
  func busy(_ duration: Int) -> @Sendable () -> Void {
    { [runtime] in runtime.work(for: .ms(duration)) }
  }

  var record: RunRecord {
    RunRecord(events: recorder.snapshot(), clock: .virtual, result: .success(.none))
  }

  var analysis: Analysis {
    Analysis(of: record, events: recorder.snapshot(), workers: runtime.width)
  }

  func step(_ path: String) throws -> StepRecord {
    let steps = record.steps
    return try #require(steps.first { $0.path == path }, "\(steps.map(\.path))")
  }

  /// Each step as “path submitted–started–finished outcome”, in milliseconds.
  var steps: [String] {
    record.steps.map { step in
      let times = [step.submitted, step.started, step.finished].map { time in
        time.map { "\($0 / 1_000_000)" } ?? ""
      }
      return "\(step.path) \(times.joined(separator: "–")) \(step.outcome)"
    }
  }

  var edges: [String] { record.edges.map { "\($0.from) → \($0.to): \($0.kind.rawValue)" } }

  /// The critical path, each step as “path from+time, after X by kind (+delay, pause)”.
  var path: [String] {
    analysis.criticalPath.map { step in
      let time = "\(step.path) \(step.from / 1_000_000)+\(step.time / 1_000_000)"
      guard let over = step.handOver else { return time }
      let pause = over.pause.map { " (+\(over.delay / 1_000_000) \($0.rawValue))" } ?? ""
      return "\(time), \(over.kind.rawValue) \(over.from)\(pause)"
    }
  }
}
