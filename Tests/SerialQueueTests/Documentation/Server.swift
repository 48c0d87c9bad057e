import AsyncSimulation
import SerialQueue

/// The server that the samples use. Each answer takes 10 ms of the virtual clock.
struct Server: Sendable {
  let runtime: SimulatedRuntime
  let log: Log

  func upload(_ name: String, completion: @escaping @Sendable () -> Void) {
    log.append("\(name) starts")
    runtime.pool.schedule(after: .milliseconds(10)) {
      log.append("\(name) ends")
      completion()
    }
  }

  func download(_ name: String) async throws -> String {
    log.append("\(name) starts")
    try await runtime.clock.sleep(for: .milliseconds(10))
    log.append("\(name) ends")
    return name + "!"
  }

  func size(
    of name: String, completion: @escaping @Sendable (Result<Int, any Error>) -> Void
  ) {
    runtime.pool.schedule(after: .milliseconds(10)) { completion(.success(name.count)) }
  }

  /// Never answers.
  func longPoll(completion: @escaping @Sendable () -> Void) -> any Cancellable {
    LongPoll(completion: completion, log: log)
  }

  private final class LongPoll: Cancellable {
    let completion: @Sendable () -> Void
    let log: Log

    init(completion: @escaping @Sendable () -> Void, log: Log) {
      self.completion = completion
      self.log = log
    }

    func cancel() { log.append("the long poll is cancelled") }
  }
}
