import PatternTesting
import SerialQueue
import Testing
import TimingTrace

/// The record of the user's own code: its name, its labels, and how it ended.
@Suite struct RecordedRunTests {
  private let recorder = Recorder(clock: .virtual)
  private let runtime: SimulatedRuntime

  init() { runtime = SimulatedRuntime(trace: recorder) }

  @Test func `the record has the name, the labels and the times`() throws {
    let runtime = runtime
    let run = recorder.run("upload", on: runtime) {
      let queue = SerialQueue("network", runtime: runtime)
      queue.enqueue(.label("send")) { runtime.work(for: .milliseconds(5)) }
      runtime.runUntilIdle()
      return 7
    }
    #expect(try run.value == 7)
    #expect(run.record.name == "upload" && run.record.pattern == "program")
    #expect(run.record.outcome == .success && run.record.clock == .virtual)
    #expect(run.record.makespan == 5_000_000)
    #expect(run.record.steps.map(\.path) == ["network", "network/send"])
    #expect(run.saved.name == "upload" && run.saved.events.count == run.record.events)
  }

  @Test func `a value that records know is in the record`() {
    let run = recorder.run("upload", on: runtime) { Value.integer(3) }
    #expect(run.record.value == .integer(3))
  }

  @Test func `an error is the outcome, and is thrown again`() {
    let run = recorder.run("upload", on: runtime) { throw StepFailure("no network") }
    #expect(run.record.outcome == .failure && run.record.error == "no network")
    #expect(throws: StepFailure("no network")) { try run.value }
    #expect(run.record.steps.map(\.error) == ["no network"])
  }

  @Test func `a cancellation is not a failure`() {
    let run = recorder.run("upload", on: runtime) { throw CancellationError() }
    #expect(run.record.outcome == .cancelled && run.record.error == nil)
    #expect(run.record.steps.map(\.outcome) == [.cancelled])
  }

  @Test func `tasks that the code starts in a simulation are below it`() {
    let runtime = runtime
    let run = recorder.run("upload", on: runtime) {
      runtime.task { try await Task.sleep(for: .milliseconds(3)) }
      runtime.runUntilIdle()
    }
    #expect(run.record.steps.map(\.pattern) == ["task"])
    #expect(run.record.steps.map(\.finished) == [3_000_000])
    #expect(run.record.pattern == "program")
  }

  // MARK: Asynchronous code

  @Test func `asynchronous code, and what it awaits`() async throws {
    let run = await Recorder.record("upload") { runtime in
      let queue = SerialQueue("network", runtime: runtime)
      return try await queue.enqueue(.label("send")) { () async in "receipt" }.value
    }
    #expect(try run.value == "receipt")
    #expect(run.record.name == "upload" && run.record.outcome == .success)
    #expect(run.record.clock == .live)
    #expect(run.record.steps.map(\.path) == ["network", "network/send"])
    #expect(run.record.steps.allSatisfy { $0.outcome == .success })
  }

  @Test func `asynchronous code that throws`() async {
    let run = await Recorder.record("upload") { _ in throw StepFailure("no network") }
    #expect(run.record.outcome == .failure && run.record.error == "no network")
  }

  @Test func `cancelling the task that awaits it cancels the code`() async {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    let recording = Task {
      await Recorder.record("upload") { _ in
        continuation.yield()
        // The stream never yields a value: only the cancellation ends the loop.
        for await _ in AsyncStream<Void>.makeStream().stream {}
        try Task.checkCancellation()
      }
    }
    for await _ in stream { break }
    recording.cancel()
    #expect(await recording.value.record.outcome == .cancelled)
  }
}
