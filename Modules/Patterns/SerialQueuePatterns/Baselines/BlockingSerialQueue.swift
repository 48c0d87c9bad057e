import AsyncRuntime

/// A serial queue that parks a thread while each item runs: a demonstration, not for use.
///
/// It is the way of BRYSerialAnimationQueue, with its logic faithfully kept. An item's turn makes a
/// semaphore, stores it in a property that all items share, starts the item on the main scheduler, and
/// waits. An item's end signals *whatever semaphore the property holds by then*. So:
///
/// - a thread stands blocked all the time something runs;
/// - an item that never ends holds it for ever;
/// - an item that ends twice signals the semaphore of another one, and two items overlap.
///
/// `SerialQueue` has none of these faults. Unlike in the original the property is locked, so that the
/// faults of logic show and no others.
final class BlockingSerialQueue: Sendable {
  private let queue: any Scheduler
  private let runtime: any Runtime
  private let semaphore = Locked<(any BlockingSemaphore)?>(nil)

  init(_ label: String = "", runtime: any Runtime = LiveRuntime.shared) {
    queue = runtime.serial(label)
    self.runtime = runtime
  }

  /// Appends an item; it runs on the main scheduler while a thread waits for it to end.
  func enqueue(_ item: @escaping @Sendable (_ end: @escaping @Sendable () -> Void) -> Void) {
    queue.schedule { [self] in
      let semaphore = runtime.semaphore(0)
      self.semaphore.withLock { $0 = semaphore }
      runtime.main.schedule { item { self.end() } }
      semaphore.wait()
    }
  }

  /// Calls `handler` when it is its turn, without waiting for anything.
  func onTurn(_ handler: @escaping @Sendable () -> Void) { queue.schedule(handler) }

  private func end() {
    let semaphore = semaphore.withLock { $0 }
    semaphore?.signal()
  }
}
