import AsyncPatterns
import Foundation
import Testing

@testable import TimingTrace

/// What a file keeps of a run, and what it makes anew of the events.
@Suite struct KeptOnceTests {
  private static func saved(_ run: SavedRun) -> SavedRuns {
    SavedRuns(machine: SavedRunsTests.machine, runs: [run])
  }

  private static func again(_ run: SavedRun) throws -> SavedRun {
    try #require(try SavedRuns(bytes: saved(run).bytes).runs.first)
  }

  /// Whatever a recorder may tell comes back to the letter.
  @Test(arguments: ExportSamples.runs.map(\.name))
  func eventsAndRecordComeBack(name: String) throws {
    let run = try #require(ExportSamples.runs.first { $0.name == name })
    #expect(!run.json.contains("\"steps\":"))
    let again = try Self.again(run)
    #expect(again.record == run.record)
    #expect(again.record.json == run.record.json)
    #expect(again.events.map { "\($0)" } == run.events.map { "\($0)" })
  }

  @Test func anyNumberComesBack() throws {
    let texts = ["", "x", String(repeating: "long", count: 40), "\"\\\n\u{1}é", "x", "y"]
    var events: [TraceEvent] = []
    let spans = [1, 0, UInt32.max, 1 << 31, 7, 7].map { Span(id: $0) }
    let times = [0, Int64.max, .min, -1, 5, 5].map { Instant(nanoseconds: $0) }
    for (index, (span, time)) in zip(spans, times).enumerated() {
      let (one, other) = (texts[index], texts[(index + 2) % texts.count])
      events += [
        .submitted(span, in: spans[(index + 1) % spans.count], label: one, kind: other, at: time),
        .listed(span, in: one, at: time), .started(span, at: time),
        .finished(span, .success, at: time), .finished(span, .cancelled, at: time),
        .finished(span, .failure, because: other, ending: .saysAllHaveEnded, at: time),
        .finished(span, .success, ending: [.saysAllHaveEnded, .byTimer], at: time),
        .queued(span, since: .init(nanoseconds: 1), at: time), .blocked(span, at: time),
        .unblocked(span, at: time), .worked(span, for: .nanoseconds(index), at: time),
        .counter(one, Double(index) / 3, of: span, at: time), .mark(one, other, of: span, at: time),
        .mark(one, "", of: span, at: time), .misuse(other, one, of: span, at: time),
      ]
      for edge in [TraceEvent.Edge.spawned, .dependency, .resolvedBy, .woke, .permitFrom] {
        events.append(.edge(edge, from: spans[(index + 3) % spans.count], to: span, at: time))
      }
    }
    for index in events.indices { events[index].lane = Lane(number: index % 3 == 0 ? .max : 2) }
    let run = SavedRun(
      name: "r", source: "", composition: "",
      record: RunRecord(events: events, clock: .live, outcome: .unfinished), events: events)
    #expect(try Self.again(run).events.map { "\($0)" } == events.map { "\($0)" })
  }

  /// A step of `serial { s: n * sleep }` has four events, and takes less than eighty bytes.
  @Test func aStepTakesFewBytes() throws {
    let steps = (1...2000).map { ("s-\($0)", Int64(1)) }
    let events = StepComparisonTests.script(steps).events
    let record = StepComparisonTests.run(steps)
    let run = SavedRun(name: "r", source: "", composition: "", record: record, events: events)
    #expect(run.json.utf8.count < 80 * steps.count)
    #expect(try Self.again(run).record == record)
  }

  @Test func whatHadNotEndedLastsAsLong() throws {
    var script = EventScript("root", "group", steps: ["a"])
    script.start("a", at: 0)
    script.block("a", at: 2)
    for outcome in [RunRecord.Outcome.unfinished, .cancelled, .success] {
      let record = script.record(outcome: outcome, end: 70)
      let run = SavedRun(
        name: "r", source: "", composition: "", record: record, events: script.events)
      #expect(record.intervals.map(\.to) == [.ms(70)])
      #expect(!run.json.contains("\"steps\":"))
      #expect(try Self.again(run).record == record)
    }
  }

  @Test func whatDoesNotFollowIsKept() throws {
    var run = ExportSamples.run("r", AnalysisTests.serial)
    run.record.lints = [LintRecord(rule: "own", step: "a", message: "by hand")]
    run.record.steps[0].label = "other"
    #expect(run.json.contains("\"steps\":"))
    #expect(try Self.again(run).record == run.record)
  }

  @Test func aNumberStandsForAShortTextOnly() throws {
    let long = String(repeating: "long", count: 40)
    let reference = #"{"entry":1,"dropped_events":0,"events":[[9,0,1,1,"\#(long)"],[9,0,0,1,0]]}"#
    let beginning = RunJournalTests.beginning.json(entry: 1)
    let bytes = SavedRuns(machine: SavedRunsTests.machine).bytes
    #expect(throws: SavedRunsError.self) {
      try SavedRuns(bytes: bytes + Array("\(beginning)\n\(reference)\n".utf8))
    }
  }

  // MARK: Versions

  @Test func version2IsReadAsIfItWereOfToday() throws {
    let read = try SavedRuns(bytes: Array(OlderFiles.second.utf8))
    let run = try #require(read.runs.first)
    #expect(run.record.steps.map(\.path) == ["q-1", "q-2"])
    #expect(run.record.makespan == .ms(2) && run.record.blocked == .ms(4))
    // It had neither the edges of the run's own step nor findings put together.
    #expect(run.record.edges.map(\.from) == ["q-1", "q-2"])
    #expect(run.record.edges.allSatisfy { $0.to == "serial.semaphore" && $0.kind == .woke })
    #expect(run.record.lints.map(\.count) == [1, 2])
    #expect(try Self.again(run).record == run.record)
  }

  @Test func aRecordOfVersion2ThatWasChangedStaysSo() throws {
    let text = OlderFiles.second.replacing("“q-1” kept", with: "“q-1” long kept")
      .replacing(#""blocked_ns":1000000,"leaf""#, with: #""blocked_ns":1000001,"leaf""#)
    let run = try #require(try SavedRuns(bytes: Array(text.utf8)).runs.first)
    #expect(run.record.lints.count == 3)
    #expect(run.record.lints[1].message.contains("long kept"))
  }

  @Test func aFileOfVersion2IsAddedToAsOneOfToday() throws {
    let path = NSTemporaryDirectory() + "/older-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(OlderFiles.second.utf8).write(to: URL(filePath: path))
    try SavedRuns.append(ExportSamples.run("new", AnalysisTests.serial), to: path)
    #expect(try SavedRuns.read(path).runs.map(\.name).last == "new")
    #expect(try SavedRuns.read(path).runs.count == 2)
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("\"version\":4,"))
  }
}
