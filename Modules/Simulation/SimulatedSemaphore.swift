import AsyncPatterns
internal import DequeModule

/// A semaphore whose `wait` parks a virtual worker, and the thread that runs its job.
final class SimulatedSemaphore: BlockingSemaphore, @unchecked Sendable {
  // Safe to share: the mutable state is touched by the holder of the baton only.
  private let loop: EventLoop
  private let number: Int
  private let initialPermits: Int
  private var permits: Int
  private var queue: Deque<ParkedThread> = []

  init(_ value: Int, number: Int, of loop: EventLoop) {
    initialPermits = max(value, 0)
    permits = initialPermits
    self.number = number
    self.loop = loop
  }

  func wait() {
    guard loop.isCarriedByCaller else { return waitElsewhere() }
    if takePermit() { return }
    let context = LaneContext.current
    context.willPark()
    if takePermit() { return }
    let span = context.span
    loop.trace?.record(.blocked(span, at: loop.now))
    let parked = ParkedThread(
      at: loop.holdCurrentLane(), waiter(context), chain: loop.chains.next())
    enter(parked)
    loop.park(parked)
    loop.trace?.record(.unblocked(span, at: loop.now))
  }

  func signal() {
    loop.perform { _ in self.givePermit() }
  }

  private func takePermit() -> Bool {
    guard permits > 0 else { return false }
    permits -= 1
    if permits < initialPermits { loop.missingPermits += 1 }
    return true
  }

  private func givePermit() {
    guard !queue.isEmpty else {
      if permits < initialPermits { loop.missingPermits -= 1 }
      permits += 1
      return
    }
    let parked = queue.remove(at: loop.choices.choose(queue.count))
    loop.waiting.removeAll { $0 === parked }
    if parked.ownPlace == nil {
      parked.gate.open()
    } else {
      loop.ready.resume(.parked(parked), chain: parked.chain)
    }
  }

  private func enter(_ parked: ParkedThread) {
    queue.append(parked)
    loop.waiting.append(parked)
  }

  /// A thread that is not the simulation's waits for real, until the simulation has a permit for it.
  private func waitElsewhere() {
    let parked = ParkedThread(at: nil, waiter(LaneContext.current), chain: 0)
    loop.inbox.post { _ in
      if self.takePermit() { parked.gate.open() } else { self.enter(parked) }
    }
    parked.gate.wait()
  }

  private func waiter(_ context: LaneContext) -> SimulatedRuntime.Waiter {
    SimulatedRuntime.Waiter(
      lane: context.lane, span: context.span, since: loop.now, semaphore: number)
  }
}
