import AsyncSimulation
import Foundation
import Testing

@Suite struct BlockingTests {
  @Test func `a serial queue blocks its worker until main signals after 20 ms`() {
    let recording = Recording()
    let runtime = SimulatedRuntime(trace: recording)
    let log = Log()
    let queue = runtime.serial("queue")
    let semaphore = runtime.semaphore(0)
    queue.schedule {
      runtime.main.schedule(after: .ms(20)) { semaphore.signal() }
      semaphore.wait()
      log.append("first \(runtime.now.nanoseconds) \(LaneContext.current.lane.number)")
    }
    queue.schedule { log.append("second \(runtime.now.nanoseconds)") }
    runtime.pool.schedule { log.append("pool \(runtime.now.nanoseconds)") }
    #expect(runtime.runUntilIdle() == .idle)
    #expect(log.entries == ["pool 0", "first 20000000 1", "second 20000000"])
    #expect(runtime.waiters == [])
    #expect(recording.events("blocked").map { String($0.prefix(16)) } == ["0 blocked lane 1"])
    #expect(
      recording.events("unblocked").map { String($0.prefix(25)) } == ["20000000 unblocked lane 1"])
  }

  @Test func `eight blocking queues on four workers wait for each other's workers`() throws {
    let runtime = SimulatedRuntime(workers: 4)
    let queues = (1...8).map {
      Step("queue-\($0)", pattern: BlockingQueue(), steps: [.sleep("a", .ms(10))])
    }
    // Each queue holds a worker while it sleeps, and the end of a sleep needs a worker to continue. So the first four
    // queues starve themselves.
    #expect(run(Step("all", pattern: AtOnce(), steps: queues), on: runtime) == nil)
    #expect(runtime.waiters.map(\.lane.number) == [1, 2, 3, 4])
    #expect(runtime.report.unstartedPoolJobs == 8)

    let wider = SimulatedRuntime(workers: 9)
    _ = try #require(run(Step("all", pattern: AtOnce(), steps: queues), on: wider)).get()
    #expect(wider.now == .ms(10))
  }

  @Test func `eight queues that block for a time share four workers`() {
    let runtime = SimulatedRuntime(workers: 4)
    for number in 1...8 {
      let queue = runtime.serial("\(number)")
      for _ in 1...2 { queue.schedule { runtime.block(for: .ms(10)) } }
    }
    runtime.runUntilIdle()
    #expect(runtime.now == .ms(40))
  }

  @Test func `main stalls immediately if it waits for work that needs main`() {
    let runtime = SimulatedRuntime()
    let semaphore = runtime.semaphore(0)
    runtime.main.schedule(after: .ms(5)) {
      runtime.main.schedule { semaphore.signal() }
      semaphore.wait()
    }
    #expect(runtime.runUntilIdle() == .idle)
    #expect(runtime.waiters.map(\.lane) == [.main])
    #expect(runtime.waiters.map(\.since) == [.ms(5)])
    #expect(runtime.report.unstartedMainJobs == 1)
    #expect(
      runtime.waiters.first?.description == "main has waited for semaphore 1 since 5ms")
  }

  @Test func `two locks in opposite order deadlock on some seeds only`() {
    func waiters(_ seed: UInt64) -> Int {
      let runtime = SimulatedRuntime(seed: seed)
      let locks = (runtime.semaphore(1), runtime.semaphore(1))
      for (first, second) in [locks, (locks.1, locks.0)] {
        runtime.pool.schedule {
          first.wait()
          // A pause that takes no time, in which other jobs may run.
          let pause = runtime.semaphore(0)
          runtime.pool.schedule { pause.signal() }
          pause.wait()
          second.wait()
          second.signal()
          first.signal()
        }
      }
      runtime.runUntilIdle()
      return runtime.waiters.count
    }
    #expect(waiters(0) == 2)
    #expect(Set((0..<40).map { waiters($0) }) == [0, 2])
  }

  @Test func `a job that the code on the stack waits for runs before its thread blocks`() throws {
    let runtime = SimulatedRuntime()
    let step = Step("outer", pattern: BlockingInline(), steps: [.value("inner", .integer(1))])
    _ = try #require(run(step, on: runtime)).get()
    #expect(runtime.waiters == [])
  }

  @Test func `a foreign thread may wait for the simulation`() async {
    let runtime = SimulatedRuntime()
    let semaphore = runtime.semaphore(0)
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        semaphore.wait()
        continuation.resume()
      }
      while runtime.waiters.isEmpty { runtime.runUntilIdle() }
      runtime.pool.schedule(after: .ms(1)) { semaphore.signal() }
      runtime.runUntilIdle()
    }
    #expect(runtime.waiters == [])
    #expect(runtime.now == .ms(1))
  }

  @Test func `occupying a thread outside a job is misuse and takes no time`() {
    let recording = Recording()
    let runtime = SimulatedRuntime(trace: recording)
    runtime.work(for: .seconds(1))
    #expect(runtime.now == .zero)
    #expect(recording.events("misuse").count == 1)
  }
}

/// Starts its step and waits for its end on the same lane.
private struct BlockingInline: AsyncPattern {
  static let manual = Manual(name: "inline", summary: "Waits on its caller's lane.")
  init(_ arguments: Arguments = Arguments()) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let finished = scope.runtime.semaphore(0)
    for step in steps { scope.start(step) { _ in finished.signal() } }
    finished.wait()
    completion(.success(.none))
  }
}
