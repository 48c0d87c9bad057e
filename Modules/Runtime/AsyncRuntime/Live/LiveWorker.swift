internal import Dispatch
internal import Foundation

/// A thread that runs one assignment after another. The first assignment starts the thread. The
/// thread ends after a while without an assignment, unless it is one that stays. The next
/// assignment then starts another thread.
final class LiveWorker: Sendable {
  private struct State: Sendable {
    var assignment: (@Sendable () -> Void)?
    var hasThread = false
    var isDismissed = false
  }

  private let state = Locked(State())
  /// Wakes the thread. If the thread found its assignment before it slept, its next sleep ends immediately.
  private let alarm = DispatchSemaphore(value: 0)

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
    let needsThread = state.withLock { state in
      state.assignment = body
      defer { state.hasThread = true }
      return !state.hasThread
    }
    if needsThread { startThread() } else { alarm.signal() }
  }

  /// Ends the thread. There must be no more assignments.
  func dismiss() {
    state.withLock { $0.isDismissed = true }
    alarm.signal()
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

  private enum Step {
    case run(@Sendable () -> Void)
    case sleep
    case end
  }

  /// Waits for the next assignment; nil ends the thread.
  private func next() -> (@Sendable () -> Void)? {
    var isLate = false
    while true {
      let step = state.withLock { state -> Step in
        if let assignment = state.assignment.take() { return .run(assignment) }
        guard !state.isDismissed else { return .end }
        guard isLate, threads.mayEnd() else { return .sleep }
        state.hasThread = false
        return .end
      }
      switch step {
      case .run(let body): return body
      case .end: return nil
      case .sleep: isLate = sleepsTooLong()
      }
    }
  }

  /// Sleeps until the alarm, or until the patience ends.
  private func sleepsTooLong() -> Bool {
    guard threads.hasExtra else {
      alarm.wait()
      return false
    }
    return alarm.wait(timeout: .now() + threads.patience) == .timedOut
  }
}
