internal import Foundation

/// A thread that runs one assignment after another. It begins with the first, and ends when none has
/// come for a while, unless it is one of those that stay; the next one then begins another thread.
final class LiveWorker: @unchecked Sendable {
  // Safe to share: the mutable state is touched under the condition's lock only.
  private let condition = NSCondition()
  private var assignment: (@Sendable () -> Void)?
  private var hasThread = false
  private var isDismissed = false

  private let name: String
  private let threads: WorkerThreads
  private let lane = LaneContext.nextLane()

  /// - Parameter threads: those of all workers among which some stay.
  init(_ name: String, among threads: WorkerThreads) {
    self.name = name
    self.threads = threads
  }

  /// Runs `body` on the thread. There is one assignment at a time: whoever gives it knows that the last
  /// one is over, or is about to return.
  func run(_ body: @escaping @Sendable () -> Void) {
    condition.lock()
    assignment = body
    let needsThread = !hasThread
    hasThread = true
    condition.unlock()
    // After the lock, or the thread would wake up only to wait for it.
    condition.signal()
    if needsThread { startThread() }
  }

  /// No assignment comes any more: the thread ends.
  func dismiss() {
    condition.lock()
    isDismissed = true
    condition.unlock()
    condition.signal()
  }

  private func startThread() {
    threads.began()
    // The thread holds the worker, and nobody holds the thread.
    let thread = Thread { [self] in
      LaneContext.current.lane = lane
      while let body = next() { body() }
    }
    thread.name = name
    thread.start()
  }

  /// Waits for the next assignment; nil ends the thread.
  private func next() -> (@Sendable () -> Void)? {
    condition.lock()
    defer { condition.unlock() }
    let deadline = Date(timeIntervalSinceNow: threads.patience)
    var stays = false
    while assignment == nil, !isDismissed {
      if stays {
        condition.wait()
      } else if !condition.wait(until: deadline), assignment == nil, !isDismissed {
        if threads.mayEnd() {
          hasThread = false
          return nil
        }
        stays = true
      }
    }
    defer { assignment = nil }
    return assignment
  }
}
