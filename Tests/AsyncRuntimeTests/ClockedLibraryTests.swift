import AsyncRuntime
import OperationGraph
import PatternTesting
import Promises
import SerialQueue
import Testing

/// The libraries take their time from a clock that the test advances. Nothing sleeps in real time.
@Suite(.timeLimit(.minutes(1))) struct ClockedLibraryTests {
  private let clock = ManualClock()
  private let runtime: ClockRuntime
  private let started = AsyncStream.makeStream(of: Void.self)

  init() { runtime = ClockRuntime(clock, on: LiveRuntime(workers: 4)) }

  /// Work that takes a minute.
  private var download: @Sendable () async throws -> Void {
    { [runtime, started] in
      started.continuation.yield()
      try await runtime.clock.sleep(for: .seconds(60))
    }
  }

  private func waitForStart() async {
    for await _ in started.stream { return }
  }

  /// Returns when the jobs that are due by now have started.
  private func settle() async {
    await ended { end in runtime.pool.schedule(after: .zero) { end() } }
  }

  @Test func `an item of a serial queue times out when the clock says so`() async {
    let queue = SerialQueue("pages", timeout: .seconds(5), runtime: runtime)
    let item = queue.enqueue { [download] in try await download() }
    await waitForStart()
    clock.advance(by: .seconds(5) - .nanoseconds(1))
    await settle()
    #expect(queue.runningCount == 1)
    clock.advance(by: .nanoseconds(1))
    await #expect(throws: TimedOut.self) { try await item.value }
  }

  @Test func `an item that sleeps ends when the clock says so`() async throws {
    let queue = SerialQueue("pages", runtime: runtime)
    let item = queue.enqueue { [download] in try await download() }
    await waitForStart()
    await clock.wait(forSleepers: 1)
    clock.advance(by: .seconds(60))
    try await item.value
    #expect(runtime.now == Instant(nanoseconds: 60_000_000_000))
  }

  @Test func `a promise is fulfilled when the clock says so`() async {
    let late = Promise<Void, Never>.after(.seconds(2), runtime: runtime).map { "late" }
    let early = Promise<Void, Never>.after(.seconds(1), runtime: runtime).map { "early" }
    clock.advance(by: .seconds(1))
    #expect(await early.value == "early")
    #expect(late.current == nil)
    clock.advance(by: .seconds(1))
    #expect(await late.value == "late")
  }

  @Test func `a promise times out when the clock says so`() async {
    let slow = Promise<Void, any Error>.after(.seconds(60), runtime: runtime)
    let limited = slow.timeout(.seconds(2))
    clock.advance(by: .seconds(2))
    await #expect(throws: TimedOut.self) { try await limited.value }
  }

  @Test func `an operation of a graph times out when the clock says so`() async throws {
    var graph = OperationGraph()
    let page = graph.add("page", with: .timeout(.seconds(5))) { [download] in try await download() }
    let run = try graph.launch(runtime: runtime)
    await waitForStart()
    clock.advance(by: .seconds(5))
    await #expect(throws: (any Error).self) { try await run.value }
    #expect("\(run.state(of: page))" == "failed: “page” timed out after 5s")
  }
}
