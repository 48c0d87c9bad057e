import AsyncRuntime
import Dispatch
import Promises

/// A scheduler that runs handlers on a Dispatch queue, as a user of the library might write it.
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
