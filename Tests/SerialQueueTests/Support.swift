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

/// Forwards events but assigns no span numbers to items. Queues then behave as if there were no recorder.
final class WithoutPlaces: TraceSink {
  private let recording: Recording

  init(_ recording: Recording) { self.recording = recording }

  func record(_ event: consuming TraceEvent) { recording.record(event) }
}

/// Work on the virtual clock that logs its start and its end.
struct Workshop: Sendable {
  let recording = Recording()
  let runtime: SimulatedRuntime
  let log = Log()

  init() { runtime = SimulatedRuntime(trace: WithoutPlaces(recording)) }

  /// Returns work that ends after a time.
  func work(
    _ name: String, _ duration: Duration = .ms(10)
  ) -> @Sendable (SerialQueue.Done<Void>) -> Void {
    { [log, runtime] done in
      log.append("\(name)@\(runtime.milliseconds)")
      runtime.pool.schedule(after: duration) { done() }
    }
  }

  /// Returns work that fails after a time.
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

  /// Logs the result of an item.
  func note<Success>(_ name: String, _ item: SerialQueue.Item<Success>) {
    item.onCompletion { [log] result in log.append("\(name): \(result.summary)") }
  }
}

extension Runtime {
  var milliseconds: Int64 { now.nanoseconds / 1_000_000 }
}

extension Result where Failure == any Error {
  /// The result in a few words.
  var summary: String {
    switch self {
    case .success: "ok"
    case .failure(is CancellationError): "cancelled"
    case .failure(is TimedOut): "timed out"
    case .failure(SerialQueueError.superseded): "superseded"
    case .failure(SerialQueueError.stopped): "stopped"
    case .failure(SerialQueueError.full): "full"
    case .failure(SerialQueueError.selfAwait): "self-await"
    case .failure(SerialQueueError.abandoned): "abandoned"
    case .failure(let error): "\(error)"
    }
  }
}
