import AsyncSimulation
import Dispatch
import Foundation
import Testing

@Suite struct AsynchronousTests {
  @Test func `asynchronous code sleeps on virtual time`() throws {
    let runtime = SimulatedRuntime()
    let step = Step(
      "sleeper",
      run: { _, scope in
        try await scope.sleep(for: .seconds(86_400))
        async let a: Void = scope.sleep(for: .ms(30))
        async let b: Void = scope.sleep(for: .ms(20))
        _ = try await (a, b)
        return .integer(7)
      })
    #expect(try #require(run(step, on: runtime)).get() == .integer(7))
    #expect(runtime.now == Instant.zero.advanced(by: .seconds(86_400) + .ms(30)))
    #expect(runtime.escapes == [])
    #expect(runtime.report.unfinishedAsynchronousBodies == [])
  }

  @Test func `child tasks and actors stay on the simulation's lanes`() throws {
    let runtime = SimulatedRuntime(workers: 2)
    let counter = Counter()
    let step = Step(
      "group",
      run: { _, scope in
        await withTaskGroup(of: Void.self) { group in
          for _ in 1...10 {
            group.addTask {
              try? await scope.sleep(for: .ms(1))
              await counter.add(LaneContext.current.lane)
            }
          }
        }
        return .integer(await counter.count)
      })
    #expect(try #require(run(step, on: runtime)).get() == .integer(10))
    #expect(runtime.now == .ms(1))
    #expect(runtime.escapes == [])
  }

  @Test func `asynchronous code that leaves the lanes is awaited and reported`() throws {
    let recording = Recording()
    let runtime = SimulatedRuntime(patience: .seconds(60), trace: recording)
    let step = Step(
      "hop",
      run: { _, scope in
        await withCheckedContinuation { continuation in
          // Another job starts the thread that resumes this code, so the code has been suspended by then. Code that is
          // resumed before it suspends never leaves the lanes.
          scope.runtime.main.schedule {
            Thread.detachNewThread { continuation.resume() }
          }
        }
        try await scope.sleep(for: .ms(5))
        return .integer(1)
      })
    #expect(try #require(run(step, on: runtime)).get() == .integer(1))
    #expect(runtime.now == .ms(5))
    let escape = try #require(runtime.escapes.first)
    #expect(runtime.escapes.count == 1)
    #expect(escape.time == .zero)
    #expect(escape.suspects == [Span(id: 1)])
    #expect(recording.events("misuse").contains { $0.contains("clock-escape") })
  }

  @Test func `a completion from another thread is adopted and reported`() throws {
    let recording = Recording()
    let runtime = SimulatedRuntime(patience: .seconds(60), trace: recording)
    let step = Step("hop") { _, _, completion in
      Thread.detachNewThread { completion(.success(.integer(1))) }
    }
    let result = Locked<Result<Value, any Error>?>(nil)
    let lane = Locked<Lane?>(nil)
    Run(step, on: runtime) { settled in
      lane.withLock { $0 = LaneContext.current.lane }
      result.withLock { $0 = settled }
    }
    #expect(runtime.runUntilIdle(awaiting: { result.withLock { $0 == nil } }) == .idle)
    #expect(try result.withLock { $0 }?.get() == .integer(1))
    #expect(lane.withLock { $0 } == Lane(number: 1))
    #expect(runtime.escapes.map(\.suspects) == [[Span(id: 1)]])
    #expect(recording.events("misuse").count { $0.contains("clock-escape") } == 1)
  }

  @Test func `a job that a thread posts as its last act is adopted`() {
    let runtime = SimulatedRuntime(patience: .zero)
    let isDone = Locked(false)
    // The simulation calls this closure when no work is left. The thread posts and ends, so the simulation does not
    // wait for it.
    runtime.runUntilIdle(awaiting: {
      guard !isDone.withLock({ $0 }) else { return false }
      let thread = Thread { runtime.main.schedule { isDone.withLock { $0 = true } } }
      thread.start()
      while !thread.isFinished { sched_yield() }
      return false
    })
    #expect(isDone.withLock { $0 })
  }

  /// The simulation does not wait for code that is not awaited.
  @Test func `a task whose first job comes from another thread can be resumed from outside`() {
    let runtime = SimulatedRuntime(patience: .seconds(600))
    let tried = Locked(0)
    // Only other threads start and resume the task, and the simulation's own thread makes no job ready.
    runtime.task {
      let report = await Exploration(schedules: 3, isExact: true).explore {}
      tried.withLock { $0 = report.schedules }
    }
    runtime.runUntilIdle()
    #expect(tried.withLock { $0 } == 3)
  }

  @Test func `code that is not awaited ends immediately`() {
    let runtime = SimulatedRuntime(patience: .seconds(60))
    Run(.never("never"), on: runtime) { _ in }
    #expect(runtime.runUntilIdle() == .idle)
    #expect(runtime.runUntilIdle(awaiting: { false }) == .idle)
  }

  @Test func `asynchronous code that never returns is abandoned`() {
    let runtime = SimulatedRuntime(patience: .milliseconds(1), trace: Recording())
    let leaked = Locked<CheckedContinuation<Void, Never>?>(nil)
    let step = Step(
      "leak",
      run: { _, _ in
        await withCheckedContinuation { continuation in
          leaked.withLock { $0 = continuation }
        }
        return .none
      })
    #expect(run(step, on: runtime) == nil)
    #expect(runtime.escapes == [])
    #expect(runtime.report.unfinishedAsynchronousBodies == [Span(id: 1)])
    leaked.withLock { $0 }?.resume()
    runtime.runUntilIdle()
    #expect(runtime.report.unfinishedAsynchronousBodies == [])
  }

  @Test func `all jobs from other threads are adopted`() {
    let runtime = SimulatedRuntime(patience: .seconds(60))
    let count = Locked(0)
    let fan = Step(
      "fan",
      run: { _, _ in
        await withCheckedContinuation { continuation in
          DispatchQueue.global().async {
            DispatchQueue.concurrentPerform(iterations: 500) { number in
              let timer = runtime.main.schedule(after: .ms(number % 3)) {
                count.withLock { $0 += 1 }
              }
              if number % 5 == 0 { timer.cancel() }
            }
            continuation.resume()
          }
        }
        return .none
      })
    _ = run(fan, on: runtime)
    // A timer that is due may fire before it is cancelled.
    let ran = count.withLock { $0 }
    #expect((400...500).contains(ran))
    #expect(runtime.report.pendingTimers == 0)
  }
}

private actor Counter {
  private var lanes: [Lane] = []
  var count: Int { lanes.filter { (1...2).contains($0.number) }.count }
  func add(_ lane: Lane) { lanes.append(lane) }
}
