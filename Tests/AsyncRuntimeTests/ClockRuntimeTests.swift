import AsyncRuntime
import PatternTesting
import Testing

/// Tests a runtime whose clock only a test advances.
@Suite(.timeLimit(.minutes(1))) struct ClockRuntimeTests {
  private let clock = ManualClock()
  private let runtime: ClockRuntime
  private let serial: any Scheduler
  private let log = Log()

  init() {
    runtime = ClockRuntime(clock, on: LiveRuntime(workers: 4))
    serial = runtime.serial("s")
  }

  /// Returns when the jobs that are due by now have run.
  private func settle() async {
    await ended { end in serial.schedule(after: .zero) { end() } }
  }

  @Test func `the time is the one of the clock`() {
    #expect(runtime.now == .zero)
    clock.advance(by: .seconds(3))
    let now = Instant(nanoseconds: 3_000_000_000)
    #expect(runtime.now == now)
    let schedulers: [any Scheduler] = [runtime.pool, runtime.main, serial]
    for scheduler in schedulers { #expect(scheduler.now == now) }
    #expect(runtime.clockKind == .live)
  }

  @Test func `jobs run in the order of their deadlines, and then of scheduling`() async {
    for (delay, name) in [(20, "d"), (10, "a"), (30, "e"), (10, "b"), (10, "c")] {
      serial.schedule(after: .milliseconds(delay)) { [log] in log.append(name) }
    }
    clock.advance(by: .milliseconds(30))
    await settle()
    #expect(log.entries == ["a", "b", "c", "d", "e"])
  }

  @Test func `no job runs before its deadline`() async {
    serial.schedule(after: .milliseconds(10)) { [log] in log.append("job") }
    clock.advance(by: .milliseconds(9))
    await settle()
    clock.advance(by: .milliseconds(1) - .nanoseconds(1))
    await settle()
    #expect(log.entries == [])
    clock.advance(by: .nanoseconds(1))
    await settle()
    #expect(log.entries == ["job"])
  }

  @Test func `a fraction of a nanosecond is not rounded away`() async {
    clock.advance(by: Duration(secondsComponent: 0, attosecondsComponent: 900_000_000))
    serial.schedule(after: .nanoseconds(1)) { [log] in log.append("job") }
    clock.advance(by: Duration(secondsComponent: 0, attosecondsComponent: 999_999_999))
    await settle()
    #expect(log.entries == [])
    clock.advance(by: Duration(secondsComponent: 0, attosecondsComponent: 1))
    await settle()
    #expect(log.entries == ["job"])
  }

  @Test func `an earlier timer wakes the task that sleeps for a later one`() async {
    let late = serial.schedule(after: .seconds(3600)) { [log] in log.append("late") }
    await clock.wait(forSleepers: 1)
    await ended { end in
      serial.schedule(after: .seconds(1)) { end() }
      clock.advance(by: .seconds(1))
    }
    #expect(log.entries == [])
    late.cancel()
  }

  @Test func `all timers together use one sleep, and none once they are cancelled`() async {
    let timers = (1...100).map { runtime.pool.schedule(after: .seconds($0)) {} }
    await clock.wait(forSleepers: 1)
    for timer in timers { timer.cancel() }
    for timer in timers { timer.cancel() }
    await clock.wait(forSleepers: 0)
  }

  @Test func `a cancelled timer does not fire, and releases its job`() async {
    await ended { end in
      let witness = Witness(onEnd: end)
      let timer = serial.schedule(after: .seconds(1)) { [log] in
        withExtendedLifetime(witness) { log.append("cancelled") }
      }
      serial.schedule(after: .seconds(1)) { [log] in log.append("other") }
      timer.cancel()
    }
    clock.advance(by: .seconds(1))
    await settle()
    #expect(log.entries == ["other"])
  }

  @Test func `many cancelled timers leave the others in order`() async {
    let timers = (0..<1_000).map { number in
      serial.schedule(after: .milliseconds(1_000 - number)) { [log] in log.append("\(number)") }
    }
    for (number, timer) in timers.enumerated() where number % 100 != 0 { timer.cancel() }
    clock.advance(by: .seconds(1))
    await settle()
    #expect(log.entries == (0..<10).reversed().map { "\($0 * 100)" })
  }

  @Test func `a job runs on behalf of the span that scheduled it`() async {
    let span = Span(id: 7)
    let spans = Locked<[Span]>([])
    let serial = serial
    LaneContext.current.perform(for: span) {
      _ = serial.schedule(after: .seconds(1)) {
        spans.withLock { $0.append(LaneContext.current.span) }
      }
      serial.schedule { spans.withLock { $0.append(LaneContext.current.span) } }
    }
    clock.advance(by: .seconds(1))
    await settle()
    #expect(spans.withLock { $0 } == [span, span])
  }

  @Test func `a task sleeps on the clock of the runtime`() async throws {
    let sleeping = Task { [runtime] in
      try await runtime.clock.sleep(for: .seconds(5))
      return runtime.now
    }
    await clock.wait(forSleepers: 1)
    clock.advance(by: .seconds(5))
    #expect(try await sleeping.value == Instant(nanoseconds: 5_000_000_000))
  }

  @Test func `timers of the main lane and of a run loop run there`() async {
    let loop = runtime.runLoop("pages")
    await ended { end in
      loop.schedule(after: .seconds(1)) { [log] in
        log.append("\(loop.isCurrent)")
        end()
      }
      clock.advance(by: .seconds(1))
    }
    await ended { end in
      runtime.main.schedule(after: .seconds(1)) { [log] in
        log.append("\(LaneContext.current.lane == .main)")
        end()
      }
      clock.advance(by: .seconds(1))
    }
    #expect(log.entries == ["true", "true"])
  }

  @Test func `a clock of the machine works too, even with an endless delay`() async {
    let runtime = ClockRuntime(ContinuousClock(), on: LiveRuntime(workers: 1))
    let far = runtime.pool.schedule(after: .seconds(Int64.max)) { [log] in log.append("far") }
    await ended { end in runtime.pool.schedule(after: .seconds(-1)) { end() } }
    far.cancel()
    #expect(log.entries == [])
  }
}
