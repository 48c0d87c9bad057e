import AsyncPatterns
internal import DequeModule

/// A semaphore whose `wait` blocks a virtual worker and the thread that runs its job.
final class SimulatedSemaphore: BlockingSemaphore, @unchecked Sendable {
  // Safe to share: only the holder of the baton touches the mutable state.
  private let loop: EventLoop
  private let number: Int
  /// The name of the thing that threads wait for, if the semaphore is only a part of that thing.
  private let name: String?
  private let initialPermits: Int
  private var permits: Int
  /// The spans that gave permits which are not taken yet, the oldest first. Initial permits are taken before given
  /// ones. Recorded only for the trace.
  private var givers: Deque<Span> = []
  private var queue: Deque<BlockedThread> = []
  /// The permits that were taken and not given back.
  private(set) var holds: [SimulatedRuntime.PermitHold] = []
  private let holdLimit: Int

  /// If a semaphore starts with more permits than this, its holders are not recorded.
  private static let largestHoldLimit = 16

  init(_ value: Int, number: Int, called name: String? = nil, of loop: EventLoop) {
    self.name = name
    initialPermits = max(value, 0)
    permits = initialPermits
    // A semaphore without initial permits signals that something has happened: its permits have no holders.
    holdLimit = permits <= Self.largestHoldLimit ? permits : 0
    self.number = number
    self.loop = loop
  }

  func wait() {
    guard loop.isCarriedByCaller else { return waitElsewhere() }
    let context = LaneContext.current
    let span = context.span
    if let giver = takePermit() { return noteTaken(context, from: giver) }
    context.willBlock()
    if let giver = takePermit() { return noteTaken(context, from: giver) }
    loop.trace?.record(.blocked(span, at: loop.now))
    let job = loop.numberCurrentJob()
    let place = loop.holdCurrentLane()
    let thread = BlockedThread(
      at: place, waiter(context, job: job), chain: loop.chains.next(), for: self)
    enter(thread)
    if place.isOfPool { loop.workers.blockedCount += 1 }
    loop.block(thread)
    if place.isOfPool { loop.workers.blockedCount -= 1 }
    noteTaken(context, from: thread.waker, wasBlocked: true)
    guard let trace = loop.trace else { return }
    let cause = thread.waker == span ? Cause.itself : Cause(.wakeUp, thread.waker)
    trace.record(.unblocked(span, because: cause, at: loop.now))
    loop.holders.note(span, on: place.lane, at: loop.now)
    context.noteHolder(span, until: loop.now, in: trace)
  }

  func signal() {
    let context = LaneContext.current
    let giver = context.giver
    let span = context.span
    let job = loop.isCarriedByCaller ? loop.current.job : 0
    loop.perform { _ in
      self.noteGivenBack(by: span, job: job)
      self.givePermit(from: giver)
    }
  }

  /// - Returns: the span that gave the permit, or `none` for an initial permit; nil if there is no permit.
  private func takePermit() -> Span? {
    guard permits > 0 else { return nil }
    permits -= 1
    if permits < initialPermits { loop.missingPermits += 1 }
    return permits < givers.count ? givers.removeFirst() : Span.none
  }

  private func noteTaken(
    _ context: LaneContext, from giver: Span, wasBlocked: Bool = false
  ) {
    noteHold(context)
    guard giver != .none, giver != context.span else {
      return context.takePermit(wasBlocked: wasBlocked)
    }
    context.takePermit(from: giver, wasBlocked: wasBlocked)
  }

  /// Gives a permit. Only the holder of the baton may call it.
  func givePermit(from giver: Span) {
    guard !queue.isEmpty else {
      if permits < initialPermits { loop.missingPermits -= 1 }
      permits += 1
      if loop.trace != nil { givers.append(giver) }
      return
    }
    let thread = queue.remove(at: loop.choices.choose(queue.count))
    loop.waiting.removeAll { $0 === thread }
    thread.waker = giver
    if thread.ownPlace == nil {
      thread.gate.open()
    } else {
      loop.ready.resume(.blocked(thread), chain: thread.chain)
    }
  }

  private func enter(_ thread: BlockedThread) {
    queue.append(thread)
    loop.waiting.append(thread)
  }

  /// Removes a thread whose wait will never succeed.
  func forget(_ thread: BlockedThread) { queue.removeAll { $0 === thread } }

  /// A thread outside the simulation is really blocked, until the simulation has a permit for it.
  private func waitElsewhere() {
    let thread = BlockedThread(
      at: nil, waiter(LaneContext.current, job: 0, isOutside: true), chain: 0, for: self)
    loop.inbox.post { _ in
      if self.takePermit() != nil { thread.gate.open() } else { self.enter(thread) }
    }
    thread.gate.wait()
  }

  private func waiter(
    _ context: LaneContext, job: UInt32, isOutside: Bool = false
  ) -> SimulatedRuntime.Waiter {
    SimulatedRuntime.Waiter(
      lane: context.lane, span: context.span, since: loop.now, semaphore: number,
      name: name, isOutside: isOutside, job: job)
  }

  // MARK: Holders of permits

  private func noteHold(_ context: LaneContext) {
    guard holdLimit > 0 else { return }
    // Signals may have added permits, so there may be more holders than initial permits. The oldest hold is dropped.
    if holds.count == holdLimit { holds.removeFirst() }
    holds.append(
      SimulatedRuntime.PermitHold(
        semaphore: number, lane: context.lane, span: context.span, since: loop.now,
        job: loop.numberCurrentJob()))
  }

  /// Removes the last hold of the same job, or else of the same step. If there is neither, another job took the permit,
  /// and the oldest hold is removed.
  private func noteGivenBack(by span: Span, job: UInt32) {
    guard !holds.isEmpty else { return }
    let own =
      holds.lastIndex { job != 0 && $0.job == job }
      ?? holds.lastIndex { span != .none && $0.span == span }
    holds.remove(at: own ?? 0)
  }
}
