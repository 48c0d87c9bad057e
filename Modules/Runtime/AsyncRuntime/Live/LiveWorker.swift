internal import Foundation

/// A thread that runs one assignment after another. The first assignment starts the thread. The
/// thread ends after a while without an assignment, unless it is one that stays. The next
/// assignment then starts another thread.
final class LiveWorker: @unchecked Sendable {
  // Safe to share: the mutable state is accessed only under the condition's lock.
  private let condition = NSCondition()
  private var assignment: (@Sendable () -> Void)?
  private var hasThread = false
  private var isDismissed = false

  private let name: String
  private let threads: WorkerThreads
  private let lane = LaneContext.nextLane()

  /// - Parameter threads: the count of all workers' threads, some of which stay.
  init(_ name: String, among threads: WorkerThreads) {
    self.name = name
    self.threads = threads
  }

  /// Runs `body` on the thread. The caller must know that the last assignment has returned or is
  /// about to return.
  func run(_ body: @escaping @Sendable () -> Void) {
    condition.lock()
    assignment = body
    let needsThread = !hasThread
    hasThread = true
    condition.unlock()
    // After the lock is released: otherwise the thread would wake up only to wait for the lock.
    condition.signal()
    if needsThread { startThread() }
  }

  /// Ends the thread. There must be no more assignments.
  func dismiss() {
    condition.lock()
    isDismissed = true
    condition.unlock()
    condition.signal()
  }

  private func startThread() {
    threads.began()
    // The thread retains the worker, and no other code retains the thread.
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
