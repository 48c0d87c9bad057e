import AsyncPatterns
import Dispatch
import PatternTesting
import Testing

/// Tests a custom runtime that implements only the nine members without a default.
@Suite(.timeLimit(.minutes(1))) struct OwnRuntimeTests {
  private let recording = Recording()
  private let runtime: DispatchRuntime

  init() { runtime = DispatchRuntime(trace: recording) }

  @Test func `it runs a composition on behalf of its steps`() async throws {
    let steps: [Step] = [
      .work("w", .milliseconds(1)), .block("b", .milliseconds(1)), .sleep("s", .milliseconds(1)),
      .value("v", .integer(1)),
    ]
    let result = await settled(Step("all", pattern: OneByOne(), steps: steps))
    #expect(throws: Never.self) { try result.get() }
    for step in steps {
      let span = try #require(recording.events.first { $0.name == step.label }?.span)
      #expect(recording.events.contains { $0.kind == .finished && $0.span == span })
    }
    #expect(runtime.clockKind == .live)
  }

  @Test(arguments: [Step.work("x", .seconds(Int64.max)), .block("x", .seconds(Int64.max))])
  func `an occupation is cancelled`(step: Step) async {
    let result = await withCheckedContinuation { continuation in
      let run = Run(step, on: runtime) { continuation.resume(returning: $0) }
      runtime.main.schedule(after: .milliseconds(2)) { run.cancel() }
    }
    #expect(throws: CancellationError.self) { try result.get() }
  }

  private func settled(_ step: Step) async -> Result<Value, any Error> {
    await withCheckedContinuation { continuation in
      Run(step, on: runtime) { continuation.resume(returning: $0) }
    }
  }
}

/// Runs everything on Dispatch queues.
private struct DispatchRuntime: Runtime {
  let main: any RunLoopScheduler = LiveRuntime.shared.main
  let pool: any Scheduler = DispatchScheduler(DispatchQueue(label: "pool", attributes: .concurrent))
  let width = 8
  let trace: (any TraceSink)?

  func serial(_ label: String) -> any Scheduler {
    DispatchScheduler(DispatchQueue(label: label, target: .global()))
  }
  func runLoop(_ label: String) -> any RunLoopScheduler { LiveRuntime.shared.runLoop(label) }
  func semaphore(_ value: Int) -> any BlockingSemaphore { LiveRuntime.shared.semaphore(value) }
  func choose(_ count: Int) -> Int { 0 }

  func occupy(
    _ activity: WorkerActivity, for duration: Duration, cancellation: Cancellation?
  ) {
    LaneContext.current.willBlock()
    let end = now.advanced(by: duration)
    while now < end, cancellation?.isCancelled != true {}
  }
}

private final class DispatchScheduler: Scheduler {
  private let queue: DispatchQueue

  init(_ queue: DispatchQueue) { self.queue = queue }

  var now: Instant { LiveRuntime.shared.now }

  func schedule(_ job: @escaping @Sendable () -> Void) {
    let job = Job(job)
    queue.async { job.run() }
  }

  func schedule(
    after delay: Duration, _ job: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    LiveRuntime.shared.main.schedule(after: delay) { self.schedule(job) }
  }
}
