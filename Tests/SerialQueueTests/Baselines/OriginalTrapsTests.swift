import AsyncSimulation
import PatternTesting
import SerialQueue
import Testing

/// Shows each fault of the originals, and checks that the queue and the chain do not have it.
@Suite struct OriginalTrapsTests {
  private let shop = Workshop()

  // MARK: BRYSerialAnimationQueue

  private func original(
    _ name: String, _ duration: Duration = .ms(10)
  ) -> @Sendable (_ completion: @escaping @Sendable () -> Void) -> Void {
    { [shop] completion in
      shop.log.append("\(name)@\(shop.runtime.milliseconds)")
      shop.runtime.main.schedule(after: duration) { completion() }
    }
  }

  private var blockedCount: Int {
    shop.recording.events.count { $0.kind == .blocked }
      - shop.recording.events.count { $0.kind == .unblocked }
  }

  @Test func `a completion that is never called hangs the original and blocks a thread`() {
    let queue = OriginalAnimationQueue(shop.runtime)
    queue.animate { [shop] _ in shop.log.append("forever") }
    queue.animate(original("next"))
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["forever"])
    #expect(blockedCount == 1)
    shop.runtime.abandon()
  }

  @Test func `a completion that never comes blocks no thread here, and the queue can continue`() {
    let queue = SerialQueue(on: .main, runtime: shop.runtime)
    let kept = Locked<SerialQueue.Done<Void>?>(nil)
    let hung = queue.enqueueWithCompletion { [shop] done in
      shop.log.append("forever")
      kept.withLock { $0 = done }
    }
    queue.enqueueWithCompletion(.timeout(.ms(10)), work: shop.work("next"))
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["forever"])
    #expect(blockedCount == 0)
    // A timeout, or ending the item, lets the queue continue.
    hung.cancel()
    kept.withLock { $0 }?()
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["forever", "next@0"])
  }

  @Test func `a second completion makes two animations of the original overlap`() {
    let queue = OriginalAnimationQueue(shop.runtime)
    queue.animate { [shop] completion in
      shop.runtime.main.schedule(after: .ms(10)) { completion() }
      shop.runtime.main.schedule(after: .ms(15)) { completion() }
    }
    queue.animate(original("b", .ms(30)))
    queue.animate(original("c", .ms(30)))
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["b@10", "c@15"])
  }

  @Test func `after a second completion nothing overlaps here`() {
    let queue = SerialQueue(on: .main, runtime: shop.runtime)
    queue.enqueueWithCompletion { [shop] done in
      shop.runtime.main.schedule(after: .ms(10)) { done() }
      shop.runtime.main.schedule(after: .ms(15)) { done() }
    }
    queue.enqueueWithCompletion(work: shop.work("b", .ms(30)))
    queue.enqueueWithCompletion(work: shop.work("c", .ms(30)))
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["b@10", "c@40"])
    #expect(shop.recording.misuse == ["completed-twice"])
  }

  @Test func `the user's completion blocks the original and cannot wait for the next animation`() {
    let queue = OriginalAnimationQueue(shop.runtime)
    let next = shop.runtime.semaphore(0)
    queue.animate(original("a")) { [shop] in
      next.wait()
      shop.log.append("completion continues")
    }
    queue.animate { completion in
      next.signal()
      completion()
    }
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["a@0"])
    shop.runtime.abandon()
  }

  @Test func `code after done does not delay the queue here`() {
    let queue = SerialQueue(on: .pool, runtime: shop.runtime)
    let next = shop.runtime.semaphore(0)
    queue.enqueueWithCompletion { [shop] done in
      shop.log.append("a@0")
      shop.runtime.main.schedule(after: .ms(10)) {
        done()
        next.wait()
        shop.log.append("completion continues")
      }
    }
    queue.enqueueWithCompletion { done in
      next.signal()
      done()
    }
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["a@0", "completion continues"])
  }

  // MARK: GSPromise

  @Test func `the original checks, then sets: two handlers start`() {
    let report = Exploration(schedules: 200).explore { runtime in
      Self.overlap(on: runtime, OriginalChain { runtime.work(for: .zero) }.append)
    }
    #expect(report.violation != nil)
  }

  @Test func `the chain decides under a lock: one handler runs at a time`() {
    let report = Exploration(schedules: 500).explore { runtime in
      let chain = HandlerChain(on: .pool, runtime: runtime)
      return Self.overlap(on: runtime) { chain.append($0) }
    }
    #expect(report.violation == nil, "\(report)")
  }

  /// Two lanes append at the same time. Reports whether two handlers overlapped, or one did not run.
  private static func overlap(
    on runtime: SimulatedRuntime,
    _ append: @escaping @Sendable (@escaping HandlerChain.Handler) -> Void
  ) -> @Sendable () -> String? {
    let state = Locked((running: 0, most: 0, started: 0))
    for _ in 0..<2 {
      runtime.pool.schedule {
        append { then in
          state.withLock { state in
            state.started += 1
            state.running += 1
            state.most = max(state.most, state.running)
          }
          runtime.pool.schedule(after: .ms(1)) {
            state.withLock { $0.running -= 1 }
            then()
          }
        }
      }
    }
    return {
      let (_, most, started) = state.withLock { $0 }
      return most == 1 && started == 2 ? nil : "\(most) at the same time, \(started) starts"
    }
  }

  private func twice(_ then: @escaping @Sendable () -> Void) {
    shop.runtime.main.schedule(after: .ms(10)) { then() }
    shop.runtime.main.schedule(after: .ms(15)) { then() }
  }

  private func handler(_ name: String) -> HandlerChain.Handler {
    { [shop] then in
      shop.log.append("\(name)@\(shop.runtime.milliseconds)")
      shop.runtime.main.schedule(after: .ms(20)) { then() }
    }
  }

  @Test func `a second then drops a handler of the original and makes two overlap`() {
    let chain = OriginalChain()
    chain.append { twice($0) }
    for name in ["b", "c", "d"] { chain.append(handler(name)) }
    shop.runtime.runUntilIdle()
    // The second `then` removes b while it runs. The `then` of b removes c, and d starts while c runs.
    #expect(shop.log.entries == ["b@10", "c@15", "d@30"])
  }

  @Test func `a second then has no effect on the chain`() {
    let chain = HandlerChain(runtime: shop.runtime)
    chain.append { twice($0) }
    for name in ["b", "c", "d"] { chain.append(handler(name)) }
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["b@10", "c@30", "d@50"])
    #expect(shop.recording.misuse == ["completed-twice"])
  }

  @Test(.unlessThreadSanitized)
  func `a then that is called immediately recurses in the original, and not in the chain`() {
    let (depth, deepest) = (Locked(0), Locked(0))
    let handler: HandlerChain.Handler = { then in
      let now = depth.withLock { depth in
        depth += 1
        return depth
      }
      deepest.withLock { $0 = max($0, now) }
      then()
      depth.withLock { $0 -= 1 }
    }
    let original = OriginalChain()
    // All handlers are in the list before the first one continues.
    let gate = Locked<(@Sendable () -> Void)?>(nil)
    original.append { then in gate.withLock { $0 = then } }
    for _ in 0..<500 { original.append(handler) }
    gate.withLock { $0 }?()
    #expect(deepest.withLock { $0 } == 500)

    deepest.withLock { $0 = 0 }
    let chain = HandlerChain(runtime: shop.runtime)
    for _ in 0..<100_000 { chain.append(handler) }
    shop.runtime.runUntilIdle()
    #expect(deepest.withLock { $0 } == 1)
  }
}
