import AsyncSimulation
import Promises
import Testing

/// Promises and time: a promise that no longer needs its timer releases it.
@Suite struct TimeoutTests {
  private let runtime = SimulatedRuntime()

  private func value(_ value: Int, after delay: Duration) -> Promise<Int, any Error> {
    Promise<Void, any Error>.after(delay, on: .inline, runtime: runtime, whenUnused: .cancel)
      .map { value }
  }

  private func now() -> Int64 { runtime.now.nanoseconds / 1_000_000 }

  @Test func `a promise that settles in time releases its timer`() throws {
    let promise = value(1, after: .ms(10)).timeout(.seconds(60))
    runtime.runUntilIdle()
    #expect(promise.fulfilled == 1)
    #expect(now() == 10)
    try runtime.finish()
  }

  @Test func `a promise that times out fails, and is cancelled if it asked for that`() throws {
    let source = value(1, after: .seconds(60))
    let promise = source.timeout(.ms(10))
    runtime.runUntilIdle()
    #expect(throws: TimedOut.self) { try promise.current?.get() }
    #expect(source.isCancelled)
    #expect(now() == 10)
    try runtime.finish()
  }

  @Test func `the error names the limit and the place where the timeout was set`() throws {
    let (promise, line) = (value(1, after: .ms(20)).timeout(.ms(10)), #line)
    runtime.runUntilIdle()
    let error = #expect(throws: TimedOut.self) { try promise.current?.get() }
    #expect(error == TimedOut("promise", after: .ms(10), site: "\(#fileID):\(line)"))
    #expect(
      error?.description == "“promise” timed out after 10ms (\(#fileID):\(line))")
    try runtime.finish()
  }

  @Test func `the error of a timeout may be custom, or nil may replace it`() throws {
    let mine = value(1, after: .ms(20)).timeout(.ms(10), orError: StepFailure("late"))
    let none = value(1, after: .ms(20)).timeoutOrNil(.ms(10))
    let some = value(1, after: .ms(5)).timeoutOrNil(.ms(10))
    runtime.runUntilIdle()
    #expect(throws: StepFailure("late")) { try mine.current?.get() }
    #expect(none.fulfilled == .some(nil))
    #expect(some.fulfilled == .some(1))
    try runtime.finish()
  }

  @Test func `a timeout of a promise that is settled, fails or is never settled`() throws {
    let settled = Promise<Int, any Error>.fulfilled(1).timeout(.zero)
    #expect(settled.fulfilled == 1)
    let failing = Promise<Int, any Error>.rejected(StepFailure("no")).timeout(.ms(10))
    #expect(throws: StepFailure("no")) { try failing.current?.get() }
    let never = Promise<Int, any Error>.never(on: .inline, runtime: runtime).timeout(.ms(10))
    runtime.runUntilIdle()
    #expect(throws: TimedOut.self) { try never.current?.get() }
    try runtime.finish()
  }

  @Test func `a cancellation ends a wait with a timeout immediately`() throws {
    let cancellation = Cancellation()
    let typed = Promise<Int, StepFailure>.never(on: .inline, runtime: runtime)
      .until(cancellation).timeout(.seconds(10), orError: StepFailure("late"))
    let any = value(1, after: .seconds(5)).until(cancellation).timeout(.seconds(10))
    cancellation.cancel()
    #expect(typed.isCancelled && any.isCancelled)
    runtime.runUntilIdle()
    #expect(now() == 0)
    try runtime.finish()
  }

  @Test func `cancelling releases timers`() throws {
    let after = value(1, after: .seconds(1))
    let delayed = Promise<Int, any Error>.fulfilled(1, on: .inline, runtime: runtime)
      .delay(.seconds(1))
    let limited = value(1, after: .seconds(1)).timeout(.seconds(2))
    for promise in [after, delayed, limited] {
      #expect(promise.cancel())
      #expect(promise.isCancelled)
    }
    try runtime.finish()
    #expect(now() == 0)
  }

  @Test func `delay delays a value, but not a failure`() throws {
    let log = Log()
    let runtime = runtime
    value(1, after: .ms(10)).delay(.ms(20)).whenComplete { _ in
      log.append("value @\(runtime.now.nanoseconds / 1_000_000)")
    }
    value(1, after: .ms(10)).map { _ -> Int in throw StepFailure("no") }.delay(.ms(20))
      .whenComplete { _ in log.append("failure @\(runtime.now.nanoseconds / 1_000_000)") }
    runtime.runUntilIdle()
    #expect(log.entries == ["failure @10", "value @30"])
  }

  @Test func `a timer fires where the handlers run`() {
    let lane = Locked<Lane?>(nil)
    Promise<Void, Never>.after(.ms(1), on: .main, runtime: runtime).whenComplete { _ in
      lane.withLock { $0 = LaneContext.current.lane }
    }
    runtime.runUntilIdle()
    #expect(lane.withLock { $0 } == .main)
  }

  @Test func `under every schedule a promise is either in time or late`() {
    let report = Exploration(schedules: 300, workers: 3).explore { runtime in
      let notified = Log()
      let (promise, resolver) = Promise<Int, any Error>.withResolvers(
        on: .pool, runtime: runtime, whenUnused: .cancel)
      let limited = promise.timeout(.ms(1))
      limited.whenComplete { result in notified.append("\(result)") }
      runtime.pool.schedule(after: .ms(1)) { resolver.tryResolve(.success(1)) }
      runtime.pool.schedule(after: .ms(1)) { limited.cancel() }
      return {
        guard notified.entries.count == 1 else { return "it was notified of \(notified.entries)" }
        return promise.current == nil ? "the promise was left" : nil
      }
    }
    #expect(report.violation == nil, "\(report)")
  }
}
