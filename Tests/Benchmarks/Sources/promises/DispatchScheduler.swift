import AsyncRuntime
import Dispatch
import Promises

/// A scheduler that somebody writes to have handlers run on a queue of Dispatch.
final class DispatchScheduler: Scheduler {
  private let queue: DispatchQueue

  init(queue: DispatchQueue) { self.queue = queue }

  var now: Instant { LiveRuntime.shared.main.now }

  func schedule(_ job: @escaping @Sendable () -> Void) { queue.async(execute: job) }

  func schedule(
    after delay: Duration, _ job: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    LiveRuntime.shared.main.schedule(after: delay) { self.schedule(job) }
  }
}
