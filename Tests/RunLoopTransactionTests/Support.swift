@_exported import PatternTesting
import RunLoopTransaction

/// A target that logs the actions performed on it.
final class Label: Sendable {
  let name: String
  let log: Log

  init(_ name: String, _ log: Log) {
    self.name = name
    self.log = log
  }

  func layOut() { log.append("\(name): layout") }
}

/// A simulation with labels and a queue on its main loop.
struct Stage: Sendable {
  let recording = Recording()
  let runtime: SimulatedRuntime
  let log = Log()
  let labels: [Label]

  init(seed: UInt64 = 0) {
    runtime = SimulatedRuntime(seed: seed, trace: recording)
    labels = "abcdefgh".map { [log] in Label(String($0), log) }
  }

  func queue(
    order: Int = TransactionQueue.defaultOrder, batchLimit: Int? = nil, cycleLimit: Int? = 1_000,
    onFlush: (@Sendable (FlushMetrics) -> Void)? = nil
  ) -> TransactionQueue {
    TransactionQueue(
      order: order, batchLimit: batchLimit, cycleLimit: cycleLimit, runtime: runtime,
      onFlush: onFlush)
  }

  /// Runs `body` as a job of the main lane, and then everything that follows from it.
  func onMain(_ body: @escaping @Sendable () -> Void) {
    runtime.main.schedule(body)
    runtime.runUntilIdle()
  }

  /// The misuse that was reported to the runtime.
  var misuses: [String] {
    recording.events.filter { $0.kind == .misuse }.map { "\($0.name): \($0.detail)" }
  }
}

extension Runtime {
  var milliseconds: Int64 { now.nanoseconds / 1_000_000 }
}
