import AsyncPatterns
import AsyncSimulation
import Foundation
import Testing

@testable import TraceAnalysis
@testable import TraceDrawing
@testable import TraceFormats
@testable import TraceModel

/// Files of runs as a journal leaves them at any moment.
@Suite struct RunJournalTests {
  /// A run without events yet.
  static let beginning: SavedRun = {
    let record = RunRecord(
      name: "b", pattern: "serial", clock: .live, seed: 5, outcome: .unfinished)
    return SavedRun(
      name: "b", source: "serial b", composition: "serial { a; b }", workers: 3, record: record,
      events: [])
  }()

  /// A file with two runs that have ended and one that has not.
  static let unfinishedRun: [UInt8] = {
    var run = beginning
    run.events = ChromeTraceTests.script.events
    return SavedRunsTests.small.bytes
      + Array(run.lines(as: 7).dropLast().map { $0 + "\n" }.joined().utf8)
  }()

  @Test func `a run without an end is unfinished`() throws {
    let run = try #require(try SavedRuns(bytes: Self.unfinishedRun).runs.last)
    #expect(run.record.outcome == .unfinished && run.record.isIncomplete)
    #expect(run.record.error?.contains("The program ended during this run") == true)
    #expect(run.record.pattern == "serial" && run.record.seed == 5)
    #expect((run.source, run.composition, run.workers) == ("serial b", "serial { a; b }", 3))
    let events = ChromeTraceTests.script.events.sorted { $0.time < $1.time }
    #expect(run.events.map { "\($0)" } == events.map { "\($0)" })
  }

  /// When a recording ends early, a step that is still in progress is not reported as never completed.
  @Test func `steps in progress at the end of the recording are not a finding`() throws {
    var script = EventScript("root", "serial", steps: ["a", "b"])
    script.start("a", at: 0)
    script.block("a", at: 0)
    var going = Self.beginning
    going.events = script.events
    var run = try #require(
      try SavedRuns(bytes: FileLineTests.file(going.lines(as: 7).dropLast())).runs.last)
    #expect(run.record.isIncomplete && run.record.outcome == .unfinished)
    #expect(!run.record.lints.contains { $0.rule == "never-completed" })
    #expect(!run.record.lints.contains { $0.message.contains("nothing woke it") })
    #expect(run.record.json.contains(#""incomplete":true"#))
    // The same holds after the run is saved again.
    let kept = try SavedRuns(bytes: SavedRuns(runs: [run]).bytes).runs[0]
    #expect(kept.record == run.record)
    let imported = try ChromeImport(bytes: Array(ChromeTrace.json([run]).utf8)).runs[0]
    #expect(imported.record.isIncomplete && imported.record.lints == run.record.lints)
    // A run that was recorded to its end does have the findings.
    run.record = RunRecord(events: run.events, clock: .live, outcome: .unfinished)
    #expect(!run.record.isIncomplete && !run.record.json.contains("incomplete"))
    #expect(run.record.lints.map(\.rule) == ["blocked-thread", "never-completed"])
    #expect(run.record.lints.first?.message.contains("to the end of the run") == true)
  }

  @Test func `a warm-up without an end stays a warm-up`() throws {
    var beginning = Self.beginning
    beginning.isWarmUp = true
    let line = Array(beginning.lines(as: 8)[0].utf8)
    let read = try SavedRuns(bytes: Self.unfinishedRun + line)
    #expect(read.runs.map(\.isWarmUp) == [false, false, false, true])
  }

  // MARK: Writing

  @Test func `the file is whole at any moment`() throws {
    let path = NSTemporaryDirectory() + "/journal-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let journal = RunJournal(path: path)
    let runs = SavedRunsTests.small.runs
    let first = journal.begin(Self.beginning, at: .zero, recorder: nil)
    let second = journal.begin(Self.beginning, at: .zero, recorder: nil)
    journal.end(first, runs[0])
    #expect(try SavedRuns.read(path).runs.map(\.record.outcome) == [.success, .unfinished])
    journal.end(second, runs[1])
    // A run whose start was not written.
    journal.end(nil, runs[0])
    let read = try SavedRuns.read(path)
    #expect(read.runs.map(\.record.steps) == [runs[0], runs[1], runs[0]].map(\.record.steps))
    #expect(journal.close() == 3)
  }

  /// Each update appends the new events, and the end appends the rest.
  @Test func `events are appended while the run is in progress`() throws {
    let path = NSTemporaryDirectory() + "/journal-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let runtime = SimulatedRuntime()
    let journal = RunJournal(path: path, runtime: runtime)
    let events = ChromeTraceTests.script.events.sorted { $0.time < $1.time }
    let recorder = Recorder(clock: .live, limit: events.count)
    let number = journal.begin(Self.beginning, at: .zero, recorder: recorder)
    var bytes: [UInt8] = []
    func read() throws -> SavedRun {
      let before = bytes
      bytes = try SavedRuns.contents(of: path)
      #expect(bytes.starts(with: before) && bytes.count > before.count)
      return try #require(try SavedRuns(bytes: bytes).runs.first)
    }
    for event in events.prefix(9) { recorder.record(event) }
    runtime.run(until: Instant.zero.advanced(by: .seconds(1)))
    #expect(try read().events.count == 9)
    for event in events[9...] { recorder.record(event) }
    recorder.record(.started(Span(id: 99), at: .zero))
    runtime.run(until: Instant.zero.advanced(by: .seconds(3)))
    let open = try read()
    #expect(open.events.count == events.count && open.record.outcome == .unfinished)
    #expect(open.record.dropped == 1)
    // The run ended before its last events were written.
    var run = Self.beginning
    run.events = Array(events.dropLast(3))
    run.record = RunRecord(
      events: run.events, name: "b", clock: .live, seed: 5, outcome: .success)
    runtime.pool.schedule { [run] in journal.end(number, run) }
    runtime.runUntilIdle()
    let ended = try read()
    #expect(ended.record.steps == run.record.steps && ended.record.outcome == .success)
    #expect(ended.events.map { "\($0)" } == run.events.map { "\($0)" })
  }

  @Test func `if nothing can be written, no file is reported`() {
    let journal = RunJournal(path: "/nowhere/at/all")
    journal.end(
      journal.begin(Self.beginning, at: .zero, recorder: nil), SavedRunsTests.small.runs[0])
    #expect(journal.close() == nil)
  }
}
