import AsyncPatterns
import Synchronization

/// A thread that is blocked in the middle of a job, or of code outside the simulation.
final class BlockedThread: Sendable {
  let gate = Gate()
  private let abandonment = Atomic<Bool>(false)
  /// The place of its job; `nil` for a thread outside the simulation.
  let ownPlace: Place?
  let waiter: SimulatedRuntime.Waiter
  /// The chain of jobs that it continues.
  let chain: UInt32
  /// The semaphore that it waits for; nil if it waits for none.
  let semaphore: SimulatedSemaphore?
  private let wakerID = Atomic<UInt32>(0)
  private let ending = Atomic<Bool>(false)

  init(
    at place: Place?, _ waiter: SimulatedRuntime.Waiter, chain: UInt32,
    for semaphore: SimulatedSemaphore? = nil
  ) {
    ownPlace = place
    self.waiter = waiter
    self.chain = chain
    self.semaphore = semaphore
  }

  /// The span whose signal resumed it; `.none` until then.
  var waker: Span {
    get { Span(id: wakerID.load(ordering: .relaxed)) }
    set { wakerID.store(newValue.id, ordering: .relaxed) }
  }

  var place: Place { ownPlace ?? Place(lane: 0) }

  /// Whether its wait will never succeed, so that the thread must end.
  var isAbandoned: Bool { abandonment.load(ordering: .relaxed) }

  /// Whether the time for which the thread is blocked has passed or was cancelled.
  var hasEnded: Bool { ending.load(ordering: .relaxed) }

  /// Ends the time for which the thread is blocked, when its timer fires or earlier.
  ///
  /// - Returns: false if that time had already ended.
  @discardableResult
  func end() -> Bool { !ending.exchange(true, ordering: .relaxed) }

  func abandon() {
    abandonment.store(true, ordering: .relaxed)
    gate.open()
  }
}

extension EventLoop {
  /// Occupies the calling job's worker for `duration`, unless `cancellation` is cancelled.
  func occupyCaller(
    _ activity: WorkerActivity, for duration: Duration, cancellation: Cancellation?
  ) {
    guard isCarriedByCaller else {
      guard duration > .zero else { return }
      return misuse(
        "clock-escape",
        "a thread outside the simulation asked to be occupied for "
          + "\(duration.shortDescription); it has no virtual time, so it continues immediately",
        of: LaneContext.current.span)
    }
    guard duration > .zero, cancellation?.isCancelled != true else { return moveBehindReadyJobs() }
    let context = LaneContext.current
    context.willBlock()
    let span = context.span
    if activity == .blocking { trace?.record(.blocked(span, at: now)) }
    let start = now
    let place = holdCurrentLane()
    let thread = BlockedThread(
      at: place, SimulatedRuntime.Waiter(lane: context.lane, span: span, since: start),
      chain: chains.next())
    timers.add(.blocked(thread), at: start.advanced(by: duration), chain: thread.chain)
    let isBlockedWorker = activity == .blocking && place.isOfPool
    if isBlockedWorker { workers.blockedCount += 1 }
    let registration = cancellation?.onCancel { [self] in perform { $0.endEarly(thread) } }
    block(thread)
    registration?.dispose()
    if isBlockedWorker { workers.blockedCount -= 1 }
    guard let trace else { return }
    switch activity {
    case .working: trace.record(.worked(span, for: start.duration(to: now), at: now))
    case .blocking:
      let cause = cancellation?.cause ?? Cause(.timer, span)
      trace.record(.unblocked(span, because: cause, at: now))
    }
    holders.note(span, on: place.lane, at: now)
    context.noteHolder(span, until: now, in: trace)
  }

  private func endEarly(_ thread: BlockedThread) {
    guard thread.end() else { return }
    timers.didCancel()
    ready.resume(.blocked(thread), chain: thread.chain)
  }

  /// Moves the calling job behind everything that is ready. It keeps its lane, and no time passes.
  private func moveBehindReadyJobs() {
    let context = LaneContext.current
    context.willBlock()
    let thread = BlockedThread(
      at: holdCurrentLane(),
      SimulatedRuntime.Waiter(lane: context.lane, span: context.span, since: now),
      chain: chains.next())
    ready.resume(.blocked(thread), chain: thread.chain)
    block(thread)
  }
}
