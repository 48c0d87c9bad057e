import AsyncSimulation
import OperationGraph
import Testing

/// A virtual clock, and work that logs its start and its end.
struct Stage: Sendable {
  let runtime: SimulatedRuntime
  let log = Log()

  init(workers: Int = 4, seed: UInt64 = 0, trace: (any TraceSink)? = nil) {
    runtime = SimulatedRuntime(workers: workers, seed: seed, trace: trace)
  }

  var milliseconds: Int { Int(runtime.now.nanoseconds / 1_000_000) }

  /// Returns work that ends after a time, or as soon as it is cancelled.
  func work(
    _ name: String, _ duration: Int, _ result: Result<String, any Error>? = nil
  ) -> @Sendable (OperationGraph.Done<String>) -> Void {
    { done in
      log.append("\(name)+\(milliseconds)")
      let isFinished = Locked(false)
      let end: @Sendable (Result<String, any Error>) -> Void = { result in
        let isFirst = isFinished.withLock { over in
          defer { over = true }
          return !over
        }
        guard isFirst else { return }
        log.append("\(name)-\(milliseconds)")
        done(result)
      }
      let timer = runtime.pool.schedule(after: .ms(duration)) { end(result ?? .success(name)) }
      done.onCancel {
        timer.cancel()
        end(.failure(CancellationError()))
      }
    }
  }

  func fail(_ name: String, _ duration: Int) -> @Sendable (OperationGraph.Done<String>) -> Void {
    work(name, duration, .failure(StepFailure(name)))
  }

  func at(_ time: Int, _ body: @escaping @Sendable () -> Void) {
    runtime.pool.schedule(after: .ms(time), body)
  }

  /// Runs until nothing is left to do, and checks that nothing is left behind.
  func finish() {
    runtime.runUntilIdle()
    #expect(throws: Never.self) { try runtime.finish() }
  }
}

extension GraphRun {
  /// Returns “name: state” for each operation.
  func states<Value>(_ operations: [(String, OperationGraph.Operation<Value>)]) -> [String] {
    operations.map { "\($0.0): \(state(of: $0.1))" }
  }

  /// The result of the run; nil while it runs.
  var result: Result<GraphResult, any Error>? {
    let result = Locked<Result<GraphResult, any Error>?>(nil)
    onCompletion { ended in result.withLock { $0 = ended } }
    return result.withLock { $0 }
  }

  var failure: (any Error)? {
    if case .failure(let error)? = result { error } else { nil }
  }
}
