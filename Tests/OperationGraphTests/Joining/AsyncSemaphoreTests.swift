import AsyncSimulation
import OperationGraph
import OperationGraphPatterns
import PatternTesting
import Testing

/// Tests the order of permits on the virtual clock.
@Suite struct AsyncSemaphoreTests {
  private let recording = Recording()
  private let runtime: SimulatedRuntime
  private let log = Log()

  init() { runtime = SimulatedRuntime(trace: recording) }

  private func semaphore(_ permits: Int, maxBypasses: Int? = nil) -> AsyncSemaphore {
    AsyncSemaphore("downloads", permits: permits, maxBypasses: maxBypasses, runtime: runtime)
  }

  /// Requests a permit and keeps it. The log shows the holders.
  private func ask(
    _ semaphore: AsyncSemaphore, _ name: String, _ priority: TaskPriority = .medium
  ) {
    let log = log
    runtime.task {
      try await semaphore.wait(priority: priority)
      log.append(name)
    }
    runtime.runUntilIdle()
  }

  private func signal(_ semaphore: AsyncSemaphore, _ times: Int = 1) {
    for _ in 0..<times {
      semaphore.signal()
      runtime.runUntilIdle()
    }
  }

  @Test func `permits are limited, and within one priority they go in order of arrival`() {
    let semaphore = semaphore(2)
    for name in ["a", "b", "c", "d", "e"] { ask(semaphore, name) }
    #expect(log.entries == ["a", "b"])
    #expect(semaphore.permits == 0)
    #expect(semaphore.waitingCount == 3)
    signal(semaphore, 3)
    #expect(log.entries == ["a", "b", "c", "d", "e"])
    signal(semaphore)
    #expect(semaphore.permits == 1)
    #expect(semaphore.tryWait())
    #expect(!semaphore.tryWait())
  }

  @Test func `the highest priority comes first, and within a priority the first request`() {
    let semaphore = semaphore(0)
    ask(semaphore, "low 1", .low)
    ask(semaphore, "high 1", .high)
    ask(semaphore, "medium", .medium)
    ask(semaphore, "high 2", .high)
    ask(semaphore, "low 2", .low)
    signal(semaphore, 5)
    #expect(log.entries == ["high 1", "high 2", "medium", "low 1", "low 2"])
  }

  @Test func `a task's own priority counts unless another is given`() {
    let (semaphore, log) = (semaphore(0), log)
    for (name, priority) in [("low", TaskPriority.low), ("high", .high)] {
      runtime.asynchronousBodyStarted(.none)
      Task(executorPreference: SchedulerExecutor(runtime.pool), priority: priority) {
        try await semaphore.wait()
        log.append(name)
        self.runtime.asynchronousBodyEnded(.none)
      }
      runtime.run(until: runtime.now)
    }
    signal(semaphore, 2)
    #expect(log.entries == ["high", "low"])
  }

  @Test(
    arguments: [
      (nil, ["h1", "h2", "h3", "h4", "h5", "low"]),
      (0, ["low", "h1", "h2", "h3", "h4", "h5"]),
      (2, ["h1", "h2", "low", "h3", "h4", "h5"]),
      (-1, ["low", "h1", "h2", "h3", "h4", "h5"]),
    ] as [(Int?, [String])])
  func `a limit applies to the permits that bypass the longest waiting request`(
    _ maxBypasses: Int?, _ order: [String]
  ) {
    let semaphore = semaphore(0, maxBypasses: maxBypasses)
    ask(semaphore, "low", .low)
    for number in 1...5 { ask(semaphore, "h\(number)", .high) }
    signal(semaphore, 6)
    #expect(log.entries == order)
  }

  @Test func `bypasses count only from the time a request has waited longest`() {
    let semaphore = semaphore(0, maxBypasses: 1)
    ask(semaphore, "h0", .high)
    ask(semaphore, "low", .low)
    for number in 1...2 { ask(semaphore, "h\(number)", .high) }
    signal(semaphore, 4)
    #expect(log.entries == ["h0", "h1", "low", "h2"])
  }

  @Test func `a permit is passed on directly, so that no later request can take it`() {
    let semaphore = semaphore(1)
    ask(semaphore, "a")
    ask(semaphore, "b", .low)
    semaphore.signal()
    #expect(!semaphore.tryWait())
    ask(semaphore, "c", .high)
    #expect(log.entries == ["a", "b"])
  }

  @Test func `a request that is cancelled while it waits takes and loses no permit`() async throws {
    let (semaphore, log, runtime) = (semaphore(1), log, runtime)
    ask(semaphore, "a")
    let waiting = runtime.task {
      try await semaphore.wait()
      log.append("b")
    }
    ask(semaphore, "c")
    waiting.cancel()
    runtime.runUntilIdle()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(semaphore.waitingCount == 1)
    signal(semaphore, 2)
    #expect(log.entries == ["a", "c"])
    #expect(semaphore.permits == 1)
  }

  @Test func `a task that was cancelled before takes no permit, even a free one`() async throws {
    let semaphore = semaphore(1)
    let task = runtime.task { try await semaphore.withPermit {} }
    task.cancel()
    runtime.runUntilIdle()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(semaphore.permits == 1)
  }

  @Test func `a permit is returned however the work ends`() async throws {
    let semaphore = semaphore(1)
    let failing = runtime.task { try await semaphore.withPermit { throw StepFailure("no page") } }
    let value = runtime.task { try await semaphore.withPermit { 42 } }
    runtime.runUntilIdle()
    await #expect(throws: StepFailure.self) { try await failing.value }
    #expect(try await value.value == 42)
    #expect(semaphore.permits == 1)
  }

  @Test func `permits may exceed their initial number, start below zero, and never overflow`() {
    let few = semaphore(-3)
    #expect(few.permits == 0)
    signal(few, 2)
    #expect(few.permits == 2)
    let many = semaphore(.max)
    many.signal()
    #expect(many.permits == .max)
  }

  // MARK: Completion handlers

  @Test func `a handler gets a permit and returns it once`() {
    let (semaphore, log) = (semaphore(1), log)
    for name in ["a", "b"] {
      semaphore.whenPermitted(on: .inline) { permit in
        log.append(name)
        permit.giveBack()
        permit.giveBack(file: "App/Pages.swift", line: 8)
      }
    }
    #expect(log.entries == ["a", "b"])
    #expect(recording.misuse == ["unbalanced-leave", "unbalanced-leave"])
    #expect(
      recording.events.first { $0.kind == .misuse }?.detail
        == "a permit of semaphore “downloads” was given back again at App/Pages.swift:8; the second call "
        + "was ignored: give it back only once")
    #expect(semaphore.permits == 1)
  }

  @Test func `a permit that is released without a call is returned`() {
    let (semaphore, log) = (semaphore(1), log)
    for name in ["a", "b"] { semaphore.whenPermitted { _ in log.append(name) } }
    runtime.runUntilIdle()
    #expect(log.entries == ["a", "b"])
    #expect(semaphore.permits == 1)
    #expect(recording.misuse.isEmpty)
  }

  @Test func `a cancelled request never gets a permit`() {
    let (semaphore, log) = (semaphore(0), log)
    let request = semaphore.whenPermitted(priority: .high) { _ in log.append("a") }
    semaphore.whenPermitted(priority: .low) { _ in log.append("b") }
    request.cancel()
    request.cancel()
    signal(semaphore)
    #expect(log.entries == ["b"])
  }

  @Test(.unlessThreadSanitized) func `a hundred thousand inline handlers that wait need no stack`()
  {
    let semaphore = semaphore(1)
    let count = Locked(0)
    #expect(semaphore.tryWait())
    for _ in 1...100_000 {
      semaphore.whenPermitted(on: .inline) { permit in
        count.withLock { $0 += 1 }
        permit.giveBack()
      }
    }
    semaphore.signal()
    #expect(count.withLock { $0 } == 100_000)
    #expect(semaphore.permits == 1)
  }

  @Test func `a semaphore that is released while a request waits is reported`() {
    do {
      let semaphore = semaphore(0)
      semaphore.whenPermitted { _ in }
    }
    runtime.runUntilIdle()
    #expect(recording.misuse == ["never-completed"])
  }

  @Test func `the trace records which task passed its permit to which other task`() {
    let (semaphore, runtime) = (semaphore(1), runtime)
    for _ in 1...3 {
      runtime.task {
        try await semaphore.withPermit { try await runtime.clock.sleep(for: .ms(5)) }
      }
    }
    runtime.runUntilIdle()
    let tasks = recording.events.filter { $0.kind == .submitted }.map(\.span)
    let passings = recording.events.filter { $0.kind == .resumed && $0.cause.kind == .permit }
    #expect(tasks.count == 3)
    #expect(passings.map(\.cause.span) == Array(tasks.prefix(2)))
    #expect(passings.map(\.span) == Array(tasks.suffix(2)))
  }

  @Test func `the trace records from which span a permit came`() throws {
    let semaphore = semaphore(1)
    let steps = ["a", "b"].map { name in
      Step(name) { input, scope in
        try await semaphore.withPermit { try await scope.sleep(for: .ms(5)) }
        return input
      }
    }
    let pattern = try #require(
      OperationGraphPlugin.patterns.first { $0.manual.name == "group" })
    let runtime = runtime
    Run(Step("whole", pattern: try pattern.init(Arguments()), steps: steps), on: runtime) { _ in }
    runtime.runUntilIdle()
    #expect(recording.edges.contains("a → b: permitFrom"))
    #expect(recording.times(.finished) == ["a@5", "b@10", "whole@10"])
  }
}
