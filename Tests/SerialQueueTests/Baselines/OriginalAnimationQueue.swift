import AsyncSimulation

/// BRYSerialAnimationQueue as it works in the original. It is a serial queue that waits for a semaphore, stored in a
/// property, while each animation runs. The user's completion runs before the signal. A lock protects only the data.
final class OriginalAnimationQueue: Sendable {
  private let runtime: any Runtime
  private let queue: any Scheduler
  private let semaphore = Locked<(any BlockingSemaphore)?>(nil)

  init(_ runtime: any Runtime) {
    self.runtime = runtime
    queue = runtime.serial("animations")
  }

  /// - Parameter animation: represents a call of `UIView.animate`. It may call its completion at any time, or never.
  func animate(
    _ animation: @escaping @Sendable (_ completion: @escaping @Sendable () -> Void) -> Void,
    completion: @escaping @Sendable () -> Void = {}
  ) {
    queue.schedule { [self] in
      let semaphore = runtime.semaphore(0)
      self.semaphore.withLock { $0 = semaphore }
      runtime.main.schedule {
        animation {
          completion()
          self.semaphore.withLock { $0 }?.signal()
        }
      }
      semaphore.wait()
    }
  }
}
