internal import DequeModule
internal import Dispatch
import Synchronization

/// A Dispatch semaphore that records how long it blocks a thread, and which span gave the permit.
/// It records this span even if the thread did not have to wait.
final class LiveSemaphore: BlockingSemaphore {
  // Dispatch traps if a semaphore is released with fewer permits than it was made with. So this
  // semaphore is made with none, and its first permits are counted here.
  private let given: Atomic<Int>
  private let semaphore = DispatchSemaphore(value: 0)
  private let trace: (any TraceSink)?
  /// The spans that gave the remaining permits, oldest first. They are only for the trace. All
  /// permits are alike, so each wait takes the oldest one.
  private let givers = Locked<Deque<Span>>([])

  init(_ value: Int, trace: (any TraceSink)?) {
    given = Atomic(max(value, 0))
    self.trace = trace
  }

  func wait() {
    if takePermit() { return }
    let context = LaneContext.current
    context.willBlock()
    if takePermit() { return }
    let span = context.span
    trace?.record(.blocked(span, at: LiveClock.now))
    semaphore.wait()
    guard let trace else { return }
    let now = LiveClock.now
    trace.record(.unblocked(span, because: noteTaken(context, wasBlocked: true), at: now))
    context.noteHolder(span, until: now, in: trace)
  }

  func signal() {
    if trace != nil {
      let giver = LaneContext.current.giver
      givers.withLock { $0.append(giver) }
    }
    semaphore.signal()
  }

  private func takePermit() -> Bool {
    var left = given.load(ordering: .relaxed)
    while left > 0 {
      let (isTaken, now) = given.weakCompareExchange(
        expected: left, desired: left - 1, ordering: .acquiringAndReleasing)
      if isTaken { return true }
      left = now
    }
    guard semaphore.wait(timeout: .now()) == .success else { return false }
    if trace != nil { noteTaken(.current, wasBlocked: false) }
    return true
  }

  /// Notes the span that gave the permit which the calling thread has just taken.
  ///
  /// - Returns: the cause of the thread's continuation.
  @discardableResult
  private func noteTaken(_ context: LaneContext, wasBlocked: Bool) -> Cause {
    guard let giver = givers.withLock({ $0.popFirst() }), giver != .none, giver != context.span
    else {
      context.takePermit(wasBlocked: wasBlocked)
      return .itself
    }
    context.takePermit(from: giver, wasBlocked: wasBlocked)
    return Cause(wasBlocked ? .wakeUp : .permit, giver)
  }
}
