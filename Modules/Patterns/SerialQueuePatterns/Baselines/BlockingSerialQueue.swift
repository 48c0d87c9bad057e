import AsyncRuntime

/// A serial queue that blocks a thread while each item runs. It is a demonstration, not for use.
///
/// It reproduces the logic of BRYSerialAnimationQueue. When an item's turn comes, the queue creates a semaphore and
/// stores it in a property that all items share. It then starts the item on the main scheduler, and waits. The end of
/// an item signals *the semaphore that the property holds at that time*. So:
///
/// - a thread is blocked as long as anything runs;
/// - an item that never ends blocks it forever;
/// - an item that ends twice signals the semaphore of another one, and two items overlap.
///
/// `SerialQueue` has none of these faults. Unlike in the original, the property is locked, so that only the faults of
/// the logic show.
final class BlockingSerialQueue: Sendable {
  private let queue: any Scheduler
  private let runtime: any Runtime
  private let semaphore = Locked<(any BlockingSemaphore)?>(nil)

  init(_ label: String = "", runtime: any Runtime = LiveRuntime.shared) {
    queue = runtime.serial(label)
    self.runtime = runtime
  }

  /// Appends an item. It runs on the main scheduler while a thread waits for it to end.
  func enqueue(_ item: @escaping @Sendable (_ end: @escaping @Sendable () -> Void) -> Void) {
    queue.schedule { [self] in
      let semaphore = runtime.semaphore(0)
      self.semaphore.withLock { $0 = semaphore }
      runtime.main.schedule { item { self.end() } }
      semaphore.wait()
    }
  }

  /// Calls `handler` when its turn comes, without waiting for anything.
  func onTurn(_ handler: @escaping @Sendable () -> Void) { queue.schedule(handler) }

  private func end() {
    let semaphore = semaphore.withLock { $0 }
    semaphore?.signal()
  }
}
