internal import Foundation

/// A thread that runs one assignment after another. It begins with the first, and ends when none has
/// come for a while; the next one then begins another thread.
final class LiveWorker: @unchecked Sendable {
  // Safe to share: the mutable state is touched under the condition's lock only.
  private let condition = NSCondition()
  private var assignment: (@Sendable () -> Void)?
  private var hasThread = false

  private let name: String
  private let lane = LaneContext.nextLane()

  /// How many seconds a thread stays without anything to do.
  private static let patience = 5.0

  init(_ name: String) { self.name = name }

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

  private func startThread() {
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
    let deadline = Date(timeIntervalSinceNow: Self.patience)
    while assignment == nil {
      guard condition.wait(until: deadline) || assignment != nil else {
        hasThread = false
        return nil
      }
    }
    defer { assignment = nil }
    return assignment
  }
}
