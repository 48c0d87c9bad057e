import AsyncSimulation
import Promises
import Testing

/// When handlers run, and how many hops that costs.
@Suite struct OrderTests {
  private let log = Log()

  /// A scheduler that counts the jobs that it gets.
  private final class Counting: Scheduler {
    private let scheduler: any Scheduler
    private let jobs = Locked(0)

    init(_ scheduler: any Scheduler) { self.scheduler = scheduler }

    var jobCount: Int { jobs.withLock { $0 } }
    var now: Instant { scheduler.now }

    func schedule(_ job: @escaping @Sendable () -> Void) {
      jobs.withLock { $0 += 1 }
      scheduler.schedule(job)
    }

    func schedule(
      after delay: Duration, _ job: @escaping @Sendable () -> Void
    ) -> any Cancellable { scheduler.schedule(after: delay, job) }
  }

  @Test(arguments: [1, 2, 3, 1000])
  func `a chain on one scheduler costs one hop, whatever its length`(_ length: Int) {
    let runtime = SimulatedRuntime()
    let scheduler = Counting(runtime.serial("queue"))
    let (promise, resolver) = Promise<Int, any Error>.withResolvers(
      on: .scheduler(scheduler), runtime: runtime)
    var last = promise
    for _ in 0..<length { last = last.then { value in .fulfilled(value + 1) } }
    last.whenComplete { [log] result in log.append("\((try? result.get()) ?? -1)") }
    resolver.fulfill(0)
    #expect(log.entries == [])
    runtime.runUntilIdle()
    #expect(log.entries == ["\(length)"])
    #expect(scheduler.jobCount == 1)
  }

  @Test func `all handlers of one promise run in one job, with the handlers that they add`() {
    let runtime = SimulatedRuntime()
    let scheduler = Counting(runtime.serial("queue"))
    let (promise, resolver) = Promise<Int, Never>.withResolvers(
      on: .scheduler(scheduler), runtime: runtime)
    for number in 1...3 {
      promise.whenComplete { [log] _ in log.append("\(number)") }
    }
    promise.whenComplete { [log] _ in
      log.append("4")
      promise.whenComplete { _ in log.append("5") }
      promise.map { $0 }.whenComplete { _ in log.append("6") }
    }
    resolver.fulfill(0)
    runtime.runUntilIdle()
    #expect(log.entries == ["1", "2", "3", "4", "5", "6"])
    #expect(scheduler.jobCount == 1)
  }

  @Test func `a failure skips handlers without a hop`() {
    let runtime = SimulatedRuntime()
    let scheduler = Counting(runtime.serial("queue"))
    let (promise, resolver) = Promise<Int, any Error>.withResolvers(
      on: .scheduler(scheduler), runtime: runtime)
    let last = promise.map { $0 + 1 }.then { .fulfilled($0) }.validate { $0 > 0 }
    resolver.reject(StepFailure("no such page"))
    #expect(last.current != nil)
    #expect(scheduler.jobCount == 0)
  }

  @Test func `a handler that is added late does not overtake queued handlers`() {
    let runtime = SimulatedRuntime()
    let (promise, resolver) = Promise<Int, Never>.withResolvers(on: .main, runtime: runtime)
    let (other, resolveOther) = Promise<Int, Never>.withResolvers(on: .main, runtime: runtime)
    // The job of this handler is queued on the main scheduler when the late handler is added.
    other.whenComplete { [log] _ in
      log.append("other")
      promise.whenComplete { _ in log.append("second") }
    }
    promise.whenComplete { [log] _ in log.append("first") }
    resolveOther.fulfill(1)
    resolver.fulfill(1)
    runtime.runUntilIdle()
    #expect(log.entries == ["other", "first", "second"])
  }

  /// Adds handlers to a fulfilled promise. Each gets a job of its own: one job more than the promise can count.
  private func manyHandlers(
    of promise: Promise<Int, Never>, _ order: Locked<[Int]>
  ) -> Range<Int> {
    let numbers = 0..<Int(UInt16.max) + 1
    for number in numbers {
      promise.whenComplete { _ in order.withLock { $0.append(number) } }
    }
    return numbers
  }

  @Test func `a handler does not overtake more jobs than are counted`() {
    let (runtime, order) = (SimulatedRuntime(), Locked<[Int]>([]))
    let placement = Placement.scheduler(runtime.serial("queue"))
    let promise = Promise<Int, Never>.fulfilled(1, on: placement, runtime: runtime)
    Promise<Int, Never>.fulfilled(1, on: placement, runtime: runtime).whenComplete { _ in
      promise.whenComplete { _ in order.withLock { $0.append(-1) } }
    }
    let numbers = manyHandlers(of: promise, order)
    runtime.runUntilIdle()
    #expect(order.withLock { $0 } == numbers + [-1])
  }

  @Test func `a promise that no longer counts jobs gives each handler its own`() {
    let (runtime, order) = (SimulatedRuntime(), Locked<[Int]>([]))
    let scheduler = Counting(runtime.serial("queue"))
    let promise = Promise<Int, Never>.fulfilled(1, on: .scheduler(scheduler), runtime: runtime)
    let numbers = manyHandlers(of: promise, order)
    runtime.runUntilIdle()
    promise.whenComplete { [log] _ in
      log.append("first")
      promise.whenComplete { _ in log.append("second") }
    }
    runtime.runUntilIdle()
    #expect(order.withLock { $0 } == Array(numbers))
    #expect(log.entries == ["first", "second"])
    #expect(scheduler.jobCount == numbers.count + 2)
  }

  @Test func `a handler that resolves a sibling and listens to it is not interrupted`() {
    let runtime = SimulatedRuntime()
    let (promise, resolver) = Promise<Int, Never>.withResolvers(on: .inline, runtime: runtime)
    let (sibling, resolveSibling) = Promise<Int, Never>.withResolvers(
      on: .inline, runtime: runtime)
    promise.whenComplete { [log] _ in
      sibling.whenComplete { _ in log.append("sibling") }
      resolveSibling.fulfill(1)
      log.append("handler ends")
    }
    resolver.fulfill(1)
    #expect(log.entries == ["handler ends", "sibling"])
  }

  @Test func `a scope sets where its chains and the chains of their handlers run`() {
    let runtime = SimulatedRuntime(workers: 1)
    let lanes = Locked<[Lane]>([])
    let note: @Sendable (Int) -> Int = { value in
      lanes.withLock { $0.append(LaneContext.current.lane) }
      return value
    }
    withPromiseDefaults(on: .pool, runtime: runtime) {
      _ = Promise<Int, Never>.fulfilled(1).map(note).then { .fulfilled($0) }.map(note)
      _ = Promise<Int, Never>.fulfilled(1, on: .main).map(note)
    }
    _ = Promise<Int, Never>.fulfilled(1, runtime: runtime).map(note)
    runtime.runUntilIdle()
    let pool = Lane(number: 1)
    #expect(lanes.withLock { $0.sorted() } == [.main, .main, pool, pool].sorted())
  }

  @Test func `a chain can move to another scheduler from a link on`() {
    let runtime = SimulatedRuntime(workers: 1)
    let lanes = Locked<[Lane]>([])
    let note: @Sendable (Int) -> Int = { value in
      lanes.withLock { $0.append(LaneContext.current.lane) }
      return value
    }
    _ = Promise<Int, Never>.fulfilled(1, runtime: runtime)
      .map(note).on(.pool).map(note).map(note).on(.main).map(note)
    runtime.runUntilIdle()
    let pool = Lane(number: 1)
    #expect(lanes.withLock { $0 } == [.main, pool, pool, .main])
  }

  /// Explorations find no counterexample: each handler runs once, and the handlers of a promise run in order.
  @Test func `order holds under every schedule`() {
    let exploration = Exploration(schedules: 300, workers: 2)
    let report = exploration.explore { runtime in
      let log = Log()
      let (promise, resolver) = Promise<Int, any Error>.withResolvers(
        on: .scheduler(runtime.serial("queue")), runtime: runtime)
      promise.whenComplete { _ in log.append("1") }
      let cancelled = promise.map { value in
        log.append("cancelled")
        return value
      }
      runtime.pool.schedule { resolver.tryResolve(.success(1)) }
      runtime.pool.schedule { resolver.tryResolve(.success(2)) }
      runtime.pool.schedule {
        promise.whenComplete { _ in log.append("2") }
        promise.whenComplete { _ in
          log.append("3")
          promise.whenComplete { _ in log.append("4") }
        }
      }
      runtime.main.schedule { cancelled.cancel() }
      return {
        let entries = log.entries.filter { $0 != "cancelled" }
        return entries == ["1", "2", "3", "4"] ? nil : "handlers ran in the order \(entries)"
      }
    }
    #expect(report.violation == nil, "\(report)")
  }

  @Test func `under every schedule one resolver wins or the promise is cancelled`() {
    let exploration = Exploration(schedules: 300, workers: 3)
    let report = exploration.explore { runtime in
      let log = Log()
      let (promise, resolver) = Promise<Int, any Error>.withResolvers(
        on: .pool, runtime: runtime, whenUnused: .cancel)
      resolver.onCancel { log.append("cancelled") }
      let next = promise.then { value in .fulfilled(value, on: .pool, runtime: runtime) }
      next.whenComplete(on: .inline) { _ in log.append("notified") }
      for value in 1...2 {
        runtime.pool.schedule { if resolver.tryResolve(.success(value)) { log.append("won") } }
      }
      runtime.pool.schedule { next.cancel() }
      return {
        let entries = log.entries
        let ends = entries.filter { $0 != "notified" }
        guard entries.filter({ $0 == "notified" }).count == 1 else { return "notified: \(entries)" }
        return ends.count == 1 ? nil : "it came to \(ends)"
      }
    }
    #expect(report.violation == nil, "\(report)")
  }
}
