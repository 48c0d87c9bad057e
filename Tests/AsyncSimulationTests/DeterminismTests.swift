import AsyncSimulation
import Testing

@Suite struct DeterminismTests {
  /// Blocking queues, work, sleeps and asynchronous code at the same time on three workers.
  static let step = Step(
    "all", pattern: AtOnce(),
    steps: [
      Step(
        "blocking", pattern: BlockingQueue(),
        steps: [.value("a", .integer(1)), onMain(.sleep("b", .ms(2))), .work("c", .ms(1))]),
      Step("ordered", pattern: InOrder(), steps: [.work("d", .ms(2)), .block("e", .ms(1))]),
      Step(
        "asynchronous",
        run: { _, scope in
          async let first: Void = scope.sleep(for: .ms(1))
          async let second: Void = scope.sleep(for: .ms(1))
          _ = try await (first, second)
          return .none
        }),
      .sleep("f", .ms(1)), .sleep("g", .ms(1)), .work("h", .ms(1)),
    ])

  static func onMain(_ step: Step) -> Step {
    var step = step
    step.options["on"] = .string("main")
    return step
  }

  func events(_ runtime: (any TraceSink) -> SimulatedRuntime) -> (String, [Int]) {
    let recording = Recording()
    let runtime = runtime(recording)
    _ = run(Self.step, on: runtime)
    #expect(runtime.escapes.isEmpty)
    return (recording.events.joined(separator: "\n"), runtime.schedule)
  }

  @Test(arguments: [0, 1, 7, UInt64.max])
  func `one seed gives one trace, byte for byte`(seed: UInt64) {
    let (first, _) = events { SimulatedRuntime(workers: 3, seed: seed, trace: $0) }
    #expect(first.count > 1_000)
    for _ in 1...50 {
      #expect(events { SimulatedRuntime(workers: 3, seed: seed, trace: $0) }.0 == first)
    }
  }

  @Test func `other seeds give other orders`() {
    let traces = (0..<20 as Range<UInt64>).map { seed in
      events { SimulatedRuntime(workers: 3, seed: seed, trace: $0) }.0
    }
    #expect(Set(traces).count > 10)
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `a schedule repeats the run that it comes from`(seed: UInt64) {
    let (trace, schedule) = events { SimulatedRuntime(workers: 3, seed: seed, trace: $0) }
    #expect(schedule.isEmpty == (seed == 0))
    let (again, sameSchedule) = events {
      SimulatedRuntime(workers: 3, replaying: schedule, trace: $0)
    }
    #expect(again == trace)
    #expect(sameSchedule == schedule)
  }

  @Test func `a schedule that does not fit makes the nearest possible choices`() {
    let runtime = SimulatedRuntime(replaying: [99, -3, 1])
    let log = Log()
    for name in ["a", "b", "c", "d"] { runtime.pool.schedule { log.append(name) } }
    runtime.runUntilIdle()
    #expect(log.entries == ["d", "a", "c", "b"])
    #expect(runtime.schedule == [3, 0, 1])
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `with any seed main and serial schedulers keep their order`(seed: UInt64) {
    let runtime = SimulatedRuntime(seed: seed)
    let logs = [Log(), Log()]
    for (log, scheduler) in zip(logs, [runtime.main, runtime.serial("queue")]) {
      for number in 1...5 { scheduler.schedule { log.append("\(number)") } }
      for number in 6...9 { scheduler.schedule(after: .ms(1)) { log.append("\(number)") } }
      scheduler.schedule { log.append("5b") }
    }
    for _ in 1...10 { runtime.pool.schedule {} }
    runtime.runUntilIdle()
    for log in logs {
      #expect(log.entries == ["1", "2", "3", "4", "5", "5b", "6", "7", "8", "9"])
    }
  }

  @Test func `some seed gives the permit to a later waiter`() {
    let winners = (0..<20 as Range<UInt64>).map { seed in
      let runtime = SimulatedRuntime(workers: 3, seed: seed)
      let log = Log()
      let semaphore = runtime.semaphore(0)
      for name in ["a", "b", "c"] {
        runtime.pool.schedule {
          semaphore.wait()
          log.append(name)
        }
      }
      runtime.main.schedule(after: .ms(1)) { for _ in 1...3 { semaphore.signal() } }
      runtime.runUntilIdle()
      return log.entries.joined()
    }
    #expect(winners[0] == "abc")
    #expect(Set(winners).count > 3)
  }
}
