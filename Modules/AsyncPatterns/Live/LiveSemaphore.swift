internal import Dispatch
import Synchronization

/// A Dispatch semaphore that tells the trace how long it parks a thread.
final class LiveSemaphore: BlockingSemaphore {
  // Dispatch traps when a semaphore goes with fewer permits than it began with, so this one begins with
  // none, and the permits that it is given are kept here.
  private let given: Atomic<Int>
  private let semaphore = DispatchSemaphore(value: 0)
  private let trace: (any TraceSink)?

  init(_ value: Int, trace: (any TraceSink)?) {
    given = Atomic(max(value, 0))
    self.trace = trace
  }

  func wait() {
    if takePermit() { return }
    let context = LaneContext.current
    context.willPark()
    if takePermit() { return }
    trace?.record(.blocked(context.span, at: LiveClock.now))
    semaphore.wait()
    trace?.record(.unblocked(context.span, at: LiveClock.now))
  }

  func signal() { semaphore.signal() }

  private func takePermit() -> Bool {
    var left = given.load(ordering: .relaxed)
    while left > 0 {
      let (isTaken, now) = given.weakCompareExchange(
        expected: left, desired: left - 1, ordering: .acquiringAndReleasing)
      if isTaken { return true }
      left = now
    }
    return semaphore.wait(timeout: .now()) == .success
  }
}
