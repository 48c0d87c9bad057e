import PatternTesting
import SerialQueue
import Testing
import TimingTrace

/// The samples in the documentation that record the user's own program.
@Suite struct RecordingSamples {
  let file = "a file"
  let log = Log()
  @Sendable func send(_ file: String) async throws -> Int { file.count }
  @Sendable func upload(on runtime: SimulatedRuntime) { runtime.work(for: .milliseconds(5)) }
  func print(_ text: String) { log.append(text) }
  func print(_ path: String, _ time: Int64, _ from: String) { log.append("\(path) \(from)") }

  @Test func `the landing page`() async throws {
    let run = await Recorder.record("upload") { runtime in
      let network = SerialQueue("network", runtime: runtime)
      let receipt = network.enqueue(.label("send")) { try await send(file) }
      return try await receipt.value
    }
    print(Timeline(run.record).render())
    let analysis = Analysis(of: run.record, events: run.events)
    for step in analysis.criticalPath {
      print(step.path, step.time, step.handOver?.from ?? "first")
    }
    #expect(try run.value == 6)
    #expect(log.entries.first?.hasPrefix("upload · success") == true)
    // The critical path does not contain the item if the item had finished when its result was awaited.
    #expect(run.record.steps.map(\.path) == ["network", "network/send"])
  }

  @Test func `a comment on asynchronous code`() async throws {
    let run = await Recorder.record("upload") { runtime in
      let queue = SerialQueue("network", runtime: runtime)
      return try await queue.enqueue(.label("send")) { try await send(file) }.value
    }
    print(Timeline(run.record).render())
    let receipt = try run.value
    #expect(receipt == 6)
  }

  @Test func `a comment on a virtual clock`() {
    let recorder = Recorder(clock: .virtual)
    let runtime = SimulatedRuntime(trace: recorder)
    let run = recorder.run("upload", on: runtime) {
      runtime.pool.schedule { upload(on: runtime) }
      runtime.runUntilIdle()
    }
    #expect(run.record.makespan == 5_000_000)
  }

  @Test func `every sample in the documentation is compiled and run here`() throws {
    let trace = try DocumentedCode(of: "TimingTrace", in: "Trace")
    let blocks = try trace.blocks(of: "TimingTrace")
    #expect(blocks.count == 1 && trace.untested(blocks) == [])
    let own = try trace.blocks(of: "TraceYourOwnProgram")
    #expect(own.count == 5 && trace.untested(own) == [])
    let comments = try DocumentedCode(of: "TraceAnalysis", in: "Trace").blocksInComments
    #expect(comments.count == 3 && trace.untested(comments) == [])
  }
}
