import AsyncRuntime
import PatternTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct LiveSchedulerTests {
  private let runtime = LiveRuntime(workers: 4)

  @Test func `a serial scheduler keeps the order and runs one job at a time`() async {
    let serial = runtime.serial("s")
    let order = Locked<[Int]>([])
    let inside = Locked(0)
    let overlaps = Locked(0)
    await ended { end in
      for number in 1...1_000 {
        serial.schedule {
          if inside.withLock({ inside in
            inside += 1
            return inside > 1
          }) {
            overlaps.withLock { $0 += 1 }
          }
          order.withLock { $0.append(number) }
          inside.withLock { $0 -= 1 }
        }
      }
      serial.schedule { end() }
    }
    #expect(order.withLock { $0 } == Array(1...1_000))
    #expect(overlaps.withLock { $0 } == 0)
  }

  @Test func `a busy serial scheduler does not block the pool`() async {
    let runtime = LiveRuntime(workers: 1)
    let serial = runtime.serial("busy")
    let other = Locked(false)
    let rounds: Int = await withCheckedContinuation { continuation in
      @Sendable func continueRounds(_ round: Int) {
        if round == 1 { runtime.pool.schedule { other.withLock { $0 = true } } }
        if round == 10_000 || other.withLock({ $0 }) {
          continuation.resume(returning: round)
        } else {
          serial.schedule { continueRounds(round + 1) }
        }
      }
      serial.schedule { continueRounds(1) }
    }
    #expect(rounds == 2)
  }

  @Test func `timers fire in the order of their deadlines`() async {
    let serial = runtime.serial("s")
    let order = Locked<[Int]>([])
    await ended { end in
      for number in [3, 1, 2, 4] {
        serial.schedule(after: .milliseconds(5 * number)) {
          order.withLock { $0.append(number) }
          if number == 4 { end() }
        }
      }
    }
    #expect(order.withLock { $0 } == [1, 2, 3, 4])
  }

  @Test func `timers with equal delays fire in the order they were scheduled`() async {
    let serial = runtime.serial("s")
    let order = Locked<[Int]>([])
    await ended { end in
      for number in 1...500 {
        serial.schedule(after: .milliseconds(3)) {
          order.withLock { $0.append(number) }
          if number == 500 { end() }
        }
      }
    }
    #expect(order.withLock { $0 } == Array(1...500))
  }

  @Test(arguments: [
    Duration.zero, .seconds(-1), .nanoseconds(1), .seconds(Int64.min), .microseconds(300),
    .seconds(Int64.min) - .seconds(1),
  ])
  func `a timer fires when its time has passed and not before`(delay: Duration) async {
    let start = runtime.now
    let end = await withCheckedContinuation { continuation in
      runtime.pool.schedule(after: delay) { continuation.resume(returning: runtime.now) }
    }
    #expect(start.duration(to: end) >= delay)
  }

  @Test(arguments: [
    Duration.seconds(100 * 365 * 86_400), .seconds(Int64.max), .seconds(Int64.max) * 2,
  ])
  func `a timer of a century does not delay others`(delay: Duration) async {
    let isEarly = Locked(false)
    let far = runtime.pool.schedule(after: delay) { isEarly.withLock { $0 = true } }
    await ended { end in runtime.pool.schedule(after: .milliseconds(1)) { end() } }
    far.cancel()
    far.cancel()
    #expect(!isEarly.withLock { $0 })
  }

  @Test func `a cancelled timer does not fire, and releases its job`() async {
    let serial = runtime.serial("s")
    let fired = Locked(false)
    await withCheckedContinuation { continuation in
      let witness = Witness { continuation.resume() }
      let timer = serial.schedule(after: .milliseconds(2)) {
        withExtendedLifetime(witness) { fired.withLock { $0 = true } }
      }
      timer.cancel()
      timer.cancel()
    }
    await ended { end in serial.schedule(after: .milliseconds(4)) { end() } }
    #expect(!fired.withLock { $0 })
  }

  @Test func `a cancelled timer has released its job when the cancellation returns`() {
    let isReleased = Locked(false)
    let timer = timer(holding: Witness { isReleased.withLock { $0 = true } })
    #expect(!isReleased.withLock { $0 })
    timer.cancel()
    #expect(isReleased.withLock { $0 })
  }

  private func timer(holding witness: Witness) -> any Cancellable {
    runtime.pool.schedule(after: .seconds(60)) { withExtendedLifetime(witness) {} }
  }

  @Test func `a timer that has fired releases its job`() async {
    await withCheckedContinuation { continuation in
      let witness = Witness { continuation.resume() }
      runtime.pool.schedule(after: .zero) { withExtendedLifetime(witness) {} }
    }
  }

  @Test func `the queue of the timers never releases the job of a timer that has fired`() async {
    for _ in 1...500 {
      let (known, last): (Set<Lane>, Lane) = await withCheckedContinuation { continuation in
        let lanes = Locked<Set<Lane>>([LaneContext.current.lane])
        let witness = Witness {
          continuation.resume(returning: (lanes.withLock { $0 }, LaneContext.current.lane))
        }
        runtime.pool.schedule(after: .zero) {
          withExtendedLifetime(witness) {
            _ = lanes.withLock { $0.insert(LaneContext.current.lane) }
          }
        }
      }
      #expect(known.contains(last))
    }
  }

  @Test func `the main scheduler is the main lane on any thread`() async {
    let lane = await withCheckedContinuation { continuation in
      runtime.main.schedule { continuation.resume(returning: LaneContext.current.lane) }
    }
    #expect(lane == .main)
    let timed = await withCheckedContinuation { continuation in
      runtime.main.schedule(after: .zero) {
        continuation.resume(returning: LaneContext.current.lane)
      }
    }
    #expect(timed == .main)
  }
}

@Suite(.timeLimit(.minutes(1))) struct TakenBackActionTests {
  @Test
  func `the objects of an action of the main loop may register others when they are released`() {
    let main = LiveRuntime.shared.main
    action(of: main, holding: Witness { main.atEndOfTurn(order: 0) {}.cancel() }).cancel()
  }

  @Test func `an action that was taken back does not keep its loop`() throws {
    var loop =
      try #require(LiveRuntime.shared.runLoop("taken back") as? LiveRunLoop) as LiveRunLoop?
    weak let known = loop
    let action = loop?.atEndOfTurn(order: 0) {}
    action?.cancel()
    loop = nil
    #expect(known == nil)
    action?.cancel()
  }

  private func action(
    of loop: any RunLoopScheduler, holding witness: Witness
  ) -> any Cancellable {
    loop.atEndOfTurn(order: 0) { withExtendedLifetime(witness) {} }
  }
}

/// Calls `onEnd` when the last reference to it is released.
final class Witness: Sendable {
  private let onEnd: @Sendable () -> Void
  init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
  deinit { onEnd() }
}
