import AsyncSimulation
import Promises
import Testing

@Suite(.timeLimit(.minutes(1))) struct PromiseWaitTests {
  @Test func `a worker waits until another worker has settled the promise`() throws {
    let runtime = SimulatedRuntime(workers: 2)
    let log = Log()
    let (promise, resolver) = Promise<Int, any Error>.withResolvers(runtime: runtime)
    runtime.pool.schedule {
      log.append("waits")
      log.append("\((try? promise.wait()) ?? -1)")
    }
    runtime.pool.schedule(after: .ms(5)) {
      log.append("settles")
      resolver.fulfill(7)
    }
    runtime.runUntilIdle()
    #expect(log.entries == ["waits", "settles", "7"])
  }

  @Test func `a settled promise needs no wait, and its error is thrown`() {
    let failed = Promise<Int, StepFailure>.rejected(StepFailure("no such page"))
    #expect(throws: StepFailure("no such page")) { try failed.wait() }
    #expect(throws: Never.self) { try Promise<Int, Never>.fulfilled(1).wait() }
  }

  @Test(arguments: ["main", "serial", "inline"])
  func `it refuses to block the scheduler that its handlers need`(_ place: String) {
    let runtime = SimulatedRuntime(workers: 2)
    let placement: Placement =
      switch place {
      case "main": .main
      case "serial": .scheduler(runtime.serial("queue"))
      default: .inline
      }
    let (promise, resolver) = Promise<Int, any Error>.withResolvers(
      on: placement, runtime: runtime)
    let refusals = Locked<[String]>([])
    Promise<Int, Never>.fulfilled(1, on: placement, runtime: runtime).whenComplete { _ in
      guard place != "inline" else { return resolver.fulfill(1) }
      do {
        _ = try promise.wait()
      } catch {
        refusals.withLock { $0.append("\(error)") }
      }
    }
    runtime.runUntilIdle()
    let reasons = refusals.withLock { $0 }
    #expect(reasons.count == (place == "inline" ? 0 : 1))
    #expect(
      reasons.allSatisfy { $0.contains("would be blocked") && $0.contains("PromiseWaitTests") })
    resolver.tryResolve(.success(1))
  }

  @Test func `it refuses to block the scheduler of a job that is no handler`() async {
    let runtime = LiveRuntime(workers: 2)
    let serial = runtime.serial("queue")
    let refusal: (any Error)? = await withCheckedContinuation { continuation in
      serial.schedule {
        let length = Promise<Int, Never>.fulfilled(1, on: .scheduler(serial), runtime: runtime)
          .map { $0 + 1 }
        continuation.resume(returning: Self.refusal(of: length))
      }
    }
    #expect(refusal is WaitRefused)
  }

  @Test func `a handler on the only worker refuses to wait for another one`() async {
    let runtime = LiveRuntime(workers: 1)
    let refusal: (any Error)? = await withCheckedContinuation { continuation in
      Promise<Int, Never>.fulfilled(1, on: .main, runtime: runtime).done(on: .pool) { _ in
        let length = Promise<Int, Never>.fulfilled(1, on: .pool).map { $0 + 1 }
        continuation.resume(returning: Self.refusal(of: length))
      }
    }
    #expect(refusal is WaitRefused)
  }

  /// The error of a wait for `promise`; nil if the wait ended.
  private static func refusal(of promise: Promise<Int, Never>) -> (any Error)? {
    do {
      _ = try promise.wait()
      return nil
    } catch {
      return error
    }
  }

  /// The type of the promises in `ownPromises`. Each closure there selects the promise that a handler waits for. Its
  /// arguments are the handler's source, the promise of the next handler of that source, and the handler's own promise.
  private typealias Source = Promise<Int, any Error>
  private static let ownPromises: [(String, @Sendable (Source, Source, Source?) -> Source)] = [
    ("a new handler", { source, _, _ in source.map { $0 + 1 } }),
    ("the result of that", { source, _, _ in source.map { $0 + 1 }.map { $0 + 1 } }),
    ("a handler behind it", { _, behind, _ in behind }),
    ("itself", { _, _, itself in itself ?? .fulfilled(0) }),
  ]

  @Test(arguments: ["inline", "pool"], ownPromises.indices)
  func `it refuses to wait for a promise that its handler delays`(_ place: String, _ index: Int) {
    let placement: Placement = place == "inline" ? .inline : .pool
    let runtime = SimulatedRuntime(workers: 2)
    let (promise, resolver) = Source.withResolvers(on: placement, runtime: runtime)
    let made = Locked<(behind: Source?, itself: Source?)>((nil, nil))
    let log = Log()
    let itself = promise.map { value in
      let (behind, itself) = made.withLock { $0 }
      let awaited = Self.ownPromises[index].1(promise, behind ?? promise, itself)
      do {
        log.append("\(try awaited.wait())")
      } catch {
        log.append(error is WaitRefused ? "refused" : "\(error)")
      }
      return value
    }
    made.withLock { $0 = (promise.map { $0 + 1 }, itself) }
    runtime.pool.schedule { resolver.fulfill(1) }
    runtime.runUntilIdle()
    // On the pool a new handler is called when the thread blocks.
    let isTraced = place == "pool" && index < 2
    #expect(log.entries == [isTraced ? "\(index + 2)" : "refused"])
    #expect(itself.fulfilled == 1)
    made.withLock { $0 = (nil, nil) }
  }

  @Test func `a handler may wait for a promise that another thread settles`() throws {
    let runtime = SimulatedRuntime(workers: 2)
    let (promise, resolver) = Source.withResolvers(on: .inline, runtime: runtime)
    let (other, resolveOther) = Source.withResolvers(on: .inline, runtime: runtime)
    let sum = promise.map { try $0 + other.map { $0 * 2 }.wait() }
    runtime.pool.schedule { resolver.fulfill(1) }
    runtime.pool.schedule(after: .ms(5)) { resolveOther.fulfill(3) }
    runtime.runUntilIdle()
    #expect(sum.fulfilled == 7)
  }

  /// It does not matter which thread serves the main queue.
  @Test @MainActor func `it refuses to block the main actor where handlers need the main queue`() {
    let (promise, resolver) = Source.withResolvers()
    #expect(throws: WaitRefused.self) { try promise.map { $0 + 1 }.wait() }
    resolver.fulfill(1)
  }

  @Test func `it refuses to wait for a promise that will never be settled`() {
    #expect(throws: WaitRefused.self) { try Promise<Int, Never>.never().wait() }
  }

  @Test func `a test advances the clock until the promise is settled`() throws {
    let runtime = SimulatedRuntime()
    let promise = Promise<Int, any Error>(runtime: runtime) { resolver in
      runtime.pool.schedule(after: .ms(20)) { resolver.fulfill(3) }
    }
    #expect(try promise.map { $0 + 1 }.wait { runtime.runUntilIdle() } == 4)
    let pending = Promise<Int, any Error>.never(runtime: runtime)
    #expect(throws: WaitRefused.self) { try pending.wait(turns: 3) { runtime.runUntilIdle() } }
  }
}
