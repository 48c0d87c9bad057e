@_exported import PatternTesting
import SerialQueue
import SerialQueuePatterns

/// Runs steps under a pattern of this module on the virtual clock until nothing is left to do.
func simulate(
  _ pattern: String, _ steps: [Step], with arguments: Arguments = [:], input: Value = .none,
  cancelAt: Duration? = nil
) throws -> Outcome {
  try simulate(
    pattern, of: SerialQueuePlugin.self, steps, with: arguments, input: input, cancelAt: cancelAt)
}

/// Passes on what happens, and has no places for items: queues are what they are if nobody listens to them.
final class WithoutPlaces: TraceSink {
  private let recording: Recording

  init(_ recording: Recording) { self.recording = recording }

  func record(_ event: consuming TraceEvent) { recording.record(event) }
}

/// Work on the virtual clock that writes down when it starts and ends.
struct Workshop: Sendable {
  let recording = Recording()
  let runtime: SimulatedRuntime
  let log = Log()

  init() { runtime = SimulatedRuntime(trace: WithoutPlaces(recording)) }

  /// Work that ends after a time.
  func work(
    _ name: String, _ duration: Duration = .ms(10)
  ) -> @Sendable (SerialQueue.Done<Void>) -> Void {
    { [log, runtime] done in
      log.append("\(name)@\(runtime.milliseconds)")
      runtime.pool.schedule(after: duration) { done() }
    }
  }

  /// Work that fails after a time.
  func failing(
    _ name: String, _ duration: Duration = .ms(10)
  ) -> @Sendable (SerialQueue.Done<Int>) -> Void {
    { [log, runtime] done in
      log.append("\(name)@\(runtime.milliseconds)")
      runtime.pool.schedule(after: duration) { done(.failure(StepFailure("\(name) failed"))) }
    }
  }

  func run(untilMilliseconds time: Int) {
    runtime.run(until: Instant(nanoseconds: Int64(time) * 1_000_000))
  }

  /// Writes down how an item ends.
  func note<Success>(_ name: String, _ item: SerialQueue.Item<Success>) {
    item.onCompletion { [log] result in log.append("\(name): \(result.summary)") }
  }
}

extension Runtime {
  var milliseconds: Int64 { now.nanoseconds / 1_000_000 }
}

extension Result where Failure == any Error {
  /// In a word.
  var summary: String {
    switch self {
    case .success: "ok"
    case .failure(is CancellationError): "cancelled"
    case .failure(SerialQueueError.timedOut): "timed out"
    case .failure(SerialQueueError.superseded): "superseded"
    case .failure(SerialQueueError.stopped): "stopped"
    case .failure(SerialQueueError.full): "full"
    case .failure(SerialQueueError.selfAwait): "self-await"
    case .failure(SerialQueueError.abandoned): "abandoned"
    case .failure(let error): "\(error)"
    }
  }
}
