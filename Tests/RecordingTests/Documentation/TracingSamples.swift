import AsyncSimulation
import Foundation
import PatternTesting
import SerialQueue
import Testing
import TimingTrace

struct NotFound: Error, CustomStringConvertible {
  let description: String
}

@Sendable func send(_ part: String) async throws -> Int {
  try await Task.sleep(for: .milliseconds(part == "cover" ? 20 : 5))
  if part == "cover" { throw NotFound(description: "there is no cover") }
  return part.count
}

@Sendable func upload(on runtime: any Runtime) async throws -> Int {
  let network = SerialQueue("network", runtime: runtime)
  let parts = ["text", "index", "cover"].map { part in
    network.enqueue(.label(part)) { try await send(part) }
  }
  var sent = 0
  for part in parts { sent += try await part.value }
  return sent
}

/// The samples of the article “Trace your own program”.
@Suite struct TracingSamples {
  private let log = Log()

  func print(_ items: Any...) { log.append(items.map { "\($0)" }.joined(separator: " ")) }

  @Test func `the name, the labels and the outcome`() async throws {
    let run = await Recorder.record("upload") { runtime in
      try await upload(on: runtime)
    }
    print(Timeline(run.record).render())
    #expect(log.entries.first?.hasPrefix("upload · failure") == true)
    #expect(throws: NotFound.self) { try outcome(of: run) }
    #expect(
      log.entries.dropFirst().filter { !$0.hasPrefix("network ") } == [
        "failure there is no cover", "network/text success ", "network/index success ",
        "network/cover failure there is no cover",
      ])

    let folder = URL.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (file, page) = (folder.path + "/upload.jsonl", folder.path + "/upload.html")
    try SavedRuns(runs: [run.saved]).write(to: file)
    try TraceFormat.html.write([run.saved], toFile: page)
    #expect(try SavedRuns.read(file).runs.map(\.record.outcome) == [.failure])
  }

  private func outcome(of run: RecordedRun<Int>) throws {
    print(run.record.outcome, run.record.error ?? "")
    for step in run.record.steps {
      print(step.path, step.outcome, step.error ?? "")
    }
    let sent = try run.value
    print("sent", sent)
  }

  @Test func `exact times, and the picture`() throws {
    let recorder = Recorder(clock: .virtual)
    let runtime = SimulatedRuntime(trace: recorder)
    let result = Locked<Result<Int, any Error>?>(nil)
    let run = recorder.run("upload", on: runtime) {
      runtime.pool.schedule {
        Task(name: "sender") {
          do {
            let sent = try await upload(on: runtime)
            result.withLock { $0 = .success(sent) }
          } catch {
            result.withLock { $0 = .failure(error) }
          }
        }
      }
      runtime.runUntilIdle()
      return try result.withLock { $0 }?.get()
    }
    let picture = Timeline(run.record).render().split(separator: "\n")
    let shown = try DocumentedCode(of: "TimingTrace", in: "Trace")
      .blocks(of: "TraceYourOwnProgram", in: "text")
    #expect(shown.map(\.lines) == [picture], "\(picture.joined(separator: "\n"))")
  }
}
