import AsyncSimulation
import SerialQueuePatterns
import Testing

/// Timers that fire before the work of their step starts, as they can on a busy machine.
@Suite struct EarlyTimeoutTests {
  @Test func `a sequence continues after a step whose time ended before it started`() throws {
    let base = SimulatedRuntime()
    let started = Locked<[String]>([])
    let steps = ["a", "b"].map { label in
      Step(label) { input, _, completion in
        started.withLock { $0.append(label) }
        completion(.success(input))
      }
    }
    let pattern = try SerialQueuePlugin.patterns[0].init([
      "timeout": .duration(.ms(10)), "on-failure": .string("continue"),
    ])
    let result = Locked<Result<Value, any Error>?>(nil)
    Run(Step("whole", pattern: pattern, steps: steps), on: HastyRuntime(base)) { end in
      result.withLock { $0 = end }
    }
    base.runUntilIdle()
    #expect(started.withLock { $0 } == [])
    guard case .failure(let error)? = result.withLock({ $0 }) else {
      Issue.record("the run has not ended with a failure")
      return
    }
    #expect(error as? TimedOut == TimedOut("a", after: .ms(10)))
  }
}

/// A runtime whose timers fire while they are set.
private struct HastyRuntime: Runtime {
  let base: SimulatedRuntime
  let pool: any Scheduler

  init(_ base: SimulatedRuntime) {
    self.base = base
    pool = HastyScheduler(base: base.pool)
  }

  var main: any RunLoopScheduler { base.main }
  var width: Int { base.width }
  var trace: (any TraceSink)? { base.trace }
  func serial(_ label: String) -> any Scheduler { base.serial(label) }
  func runLoop(_ label: String) -> any RunLoopScheduler { base.runLoop(label) }
  func semaphore(_ value: Int) -> any BlockingSemaphore { base.semaphore(value) }
  func choose(_ count: Int) -> Int { base.choose(count) }
  func occupy(
    _ activity: WorkerActivity, for duration: Duration, cancellation: Cancellation?
  ) {
    base.occupy(activity, for: duration, cancellation: cancellation)
  }
}

private struct HastyScheduler: Scheduler {
  let base: any Scheduler

  var now: Instant { base.now }
  func schedule(_ job: @escaping @Sendable () -> Void) { base.schedule(job) }

  func schedule(after delay: Duration, _ job: @escaping @Sendable () -> Void) -> any Cancellable {
    job()
    return NothingToCancel()
  }
}

private final class NothingToCancel: Cancellable {
  func cancel() {}
}
