import AsyncSimulation
import Promises
import Testing

/// When handlers run if a job of their own scheduler settles the promise.
@Suite(.timeLimit(.minutes(1))) struct SchedulerJobTests {
  private let log = Log()

  /// A serial scheduler that runs its jobs when a test says so, and counts them.
  private final class Stepped: Scheduler {
    private let jobs = Locked<(waiting: [Job], count: Int)>(([], 0))

    var now: Instant { .zero }
    var jobCount: Int { jobs.withLock { $0.count } }

    func schedule(_ job: @escaping @Sendable () -> Void) {
      jobs.withLock { jobs in
        jobs.waiting.append(Job(job))
        jobs.count += 1
      }
    }

    func schedule(
      after delay: Duration, _ job: @escaping @Sendable () -> Void
    ) -> any Cancellable { fatalError("These tests set no timers.") }

    func runAll() {
      while let job = jobs.withLock({ $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }) {
        LaneContext.current.run(job, of: identity)
      }
    }
  }

  /// Settles a promise in a job of its scheduler, and logs in the order in which code runs.
  ///
  /// - Parameter end: called when all of it has run.
  private func settle(on scheduler: any Scheduler, then end: @escaping @Sendable () -> Void = {}) {
    let (promise, resolver) = Promise<Int, Never>.withResolvers(on: .scheduler(scheduler))
    promise.whenComplete { [log] _ in log.append("handler") }
    promise.whenComplete(on: .inline) { [log] _ in log.append("inline handler") }
    // The first job queues both others, so that they are queued one after the other.
    scheduler.schedule { [log] in
      scheduler.schedule {
        resolver.fulfill(1)
        promise.map { $0 }.whenComplete { _ in log.append("late handler") }
        log.append("job ends")
      }
      scheduler.schedule {
        log.append("next job")
        scheduler.schedule(end)
      }
    }
  }

  private let expected = ["inline handler", "job ends", "handler", "next job", "late handler"]

  @Test func `handlers follow the job of their scheduler that settles the promise`() async {
    let scheduler = LiveRuntime(workers: 2).serial("queue")
    await ended { end in settle(on: scheduler, then: end) }
    #expect(log.entries == expected)
  }

  @Test func `handlers follow the job that settles the promise in simulations, too`() {
    let runtime = SimulatedRuntime()
    settle(on: runtime.serial("queue"))
    runtime.runUntilIdle()
    #expect(log.entries == expected)
  }

  @Test func `a handler added by a job does not overtake one that its scheduler has yet to run`() {
    let scheduler = Stepped()
    let (promise, resolver) = Promise<Int, Never>.withResolvers(on: .scheduler(scheduler))
    promise.whenComplete { [log] _ in log.append("first") }
    scheduler.schedule { [log] in promise.whenComplete { _ in log.append("second") } }
    resolver.fulfill(1)
    scheduler.runAll()
    #expect(log.entries == ["first", "second"])
  }

  @Test func `promises that one job settles call their handlers in the order of settling`() {
    let scheduler = Stepped()
    let pairs = (0..<3).map { _ in
      Promise<Int, Never>.withResolvers(on: .scheduler(scheduler))
    }
    for pair in pairs { pair.promise.whenComplete { [log] in log.append("\($0)") } }
    scheduler.schedule { for index in [2, 0, 1] { pairs[index].resolver.fulfill(index) } }
    scheduler.runAll()
    #expect(log.entries == ["success(2)", "success(0)", "success(1)"])
    #expect(scheduler.jobCount == 1)
  }

  @Test func `a chain of calls takes one job for each call, and none for its links`() {
    let scheduler = Stepped()
    @Sendable func call(_ value: Int) -> Promise<Int, any Error> {
      Promise(on: .scheduler(scheduler)) { resolver in
        scheduler.schedule { resolver.fulfill(value) }
      }
    }
    Promise.all([call(1), call(2)])
      .then { values in call(values[0] + values[1]) }
      .then { value in call(value).then { call($0) }.map { $0 + 1 } }
      .map { $0 + 1 }
      .whenComplete { [log] in log.append("\($0)") }
    scheduler.runAll()
    #expect(log.entries == ["success(5)"])
    #expect(scheduler.jobCount == 5)
  }

  @Test func `handlers of another scheduler take a job there`() {
    let (scheduler, other) = (Stepped(), Stepped())
    let (promise, resolver) = Promise<Int, Never>.withResolvers(on: .scheduler(other))
    promise.whenComplete { [log] _ in log.append("handler") }
    scheduler.schedule { resolver.fulfill(1) }
    scheduler.runAll()
    #expect(log.entries == [])
    other.runAll()
    #expect(log.entries == ["handler"])
  }

  @Test func `a job that runs inside another job does not run what follows that one`() {
    let (scheduler, other) = (Stepped(), Stepped())
    let (promise, resolver) = Promise<Int, Never>.withResolvers(on: .scheduler(scheduler))
    promise.whenComplete { [log] _ in log.append("handler") }
    scheduler.schedule { [log] in
      resolver.fulfill(1)
      other.schedule { log.append("inner job") }
      other.runAll()
      log.append("job ends")
    }
    scheduler.runAll()
    #expect(log.entries == ["inner job", "job ends", "handler"])
  }

  @Test func `jobs inside jobs are followed by their own handlers`() {
    let schedulers = [Stepped(), Stepped(), Stepped()]
    /// Runs a job of each scheduler inside a job of the previous one.
    @Sendable func run(_ depth: Int) {
      guard depth < schedulers.count else { return }
      let scheduler = schedulers[depth]
      let (promise, resolver) = Promise<Int, Never>.withResolvers(on: .scheduler(scheduler))
      promise.whenComplete { [log] _ in log.append("handler \(depth)") }
      scheduler.schedule { [log] in
        resolver.fulfill(depth)
        run(depth + 1)
        log.append("job \(depth) ends")
      }
      scheduler.runAll()
    }
    run(0)
    #expect(
      log.entries == [
        "job 2 ends", "handler 2", "job 1 ends", "handler 1", "job 0 ends", "handler 0",
      ])
  }
}
