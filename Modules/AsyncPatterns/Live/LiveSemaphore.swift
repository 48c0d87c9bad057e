internal import Dispatch

/// A Dispatch semaphore that tells the trace how long it parks a thread.
final class LiveSemaphore: BlockingSemaphore {
  private let semaphore: DispatchSemaphore
  private let trace: (any TraceSink)?

  init(_ value: Int, trace: (any TraceSink)?) {
    // Dispatch traps when a semaphore goes with fewer permits than it began with, so it begins with
    // none and is given its own.
    semaphore = DispatchSemaphore(value: 0)
    for _ in 0..<value { semaphore.signal() }
    self.trace = trace
  }

  func wait() {
    if semaphore.wait(timeout: .now()) == .success { return }
    let context = LaneContext.current
    context.willPark()
    trace?.record(.blocked(context.span, at: LiveClock.now))
    semaphore.wait()
    trace?.record(.unblocked(context.span, at: LiveClock.now))
  }

  func signal() { semaphore.signal() }
}
