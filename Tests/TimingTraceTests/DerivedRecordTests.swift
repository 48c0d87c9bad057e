import AsyncPatterns
import Foundation
import Testing

@testable import TraceAnalysis
@testable import TraceDrawing
@testable import TraceFormats
@testable import TraceModel

/// The record of a run, which is derived from its events when a file is read.
@Suite struct DerivedRecordTests {
  private static func saved(_ run: SavedRun) -> SavedRuns {
    SavedRuns(machine: SavedRunsTests.machine, runs: [run])
  }

  private static func again(_ run: SavedRun) throws -> SavedRun {
    try #require(try SavedRuns(bytes: saved(run).bytes).runs.first)
  }

  @Test(arguments: ExportSamples.runs.map(\.name))
  func `events and record survive saving and reading`(name: String) throws {
    let run = try #require(ExportSamples.runs.first { $0.name == name })
    let again = try Self.again(run)
    #expect(again.record == run.record)
    #expect(again.record.json == run.record.json)
    #expect(again.events.map { "\($0)" } == run.events.map { "\($0)" })
  }

  @Test func `any number survives saving and reading`() throws {
    let texts = ["", "x", String(repeating: "long", count: 40), "\"\\\n\u{1}é", "x", "y"]
    var events: [TraceEvent] = []
    let spans = [1, 0, UInt32.max, 1 << 31, 7, 7].map { Span(id: $0) }
    let times = [0, Int64.max, .min, -1, 5, 5].map { Instant(nanoseconds: $0) }
    for (index, (span, time)) in zip(spans, times).enumerated() {
      let (one, other) = (texts[index], texts[(index + 2) % texts.count])
      let (source, late) = (spans[(index + 3) % spans.count], Instant(nanoseconds: 1))
      events += [
        .submitted(span, in: spans[(index + 1) % spans.count], label: one, kind: other, at: time),
        .listed(span, in: one, at: time), .started(span, at: time),
        .finished(span, .success, at: time), .finished(span, .cancelled, at: time),
        .finished(span, .failure, reason: other, awaitsAll: true, at: time),
        .finished(span, .success, because: Cause(.timer, span), awaitsAll: true, at: time),
        .suspended(span, at: time), .blocked(span, at: time), .unblocked(span, at: time),
      ]
      events += [
        .worked(span, for: .nanoseconds(index), at: time),
        .counter(
          one, [0.1, -1e300, .nan, .infinity, -.infinity, 0][index], of: span,
          at: time),
        .mark(one, other, of: span, at: time),
        .mark(one, "", of: span, at: time), .misuse(other, one, of: span, at: time),
      ]
      for kind in Cause.Kind.allCases {
        let cause = Cause(kind, source)
        events += [
          .awaited(span, cause, at: time), .started(span, because: cause, at: time),
          .resumed(span, because: cause, at: time), .cancelled(span, because: cause, at: time),
          .unblocked(span, because: cause, at: time),
          .finished(span, .cancelled, because: cause, cancelled: (by: cause, at: late), at: time),
        ]
        events += [
          .started(span, because: cause, ready: late, behind: source, at: time),
          .resumed(span, byTimerSet: late, because: cause, at: time),
          .resumed(span, behind: source, due: late, set: late, because: cause, at: time),
        ]
      }
    }
    for index in events.indices { events[index].lane = Lane(number: index % 3 == 0 ? .max : 2) }
    // A record is derived from events in order of time.
    events.sort { $0.time < $1.time }
    let run = SavedRun(
      name: "r", source: "", composition: "",
      record: RunRecord(events: events, clock: .live, outcome: .unfinished), events: events)
    #expect(try Self.again(run).events.map { "\($0)" } == events.map { "\($0)" })
  }

  @Test func `an interval without an end lasts until the end of the run`() throws {
    var script = EventScript("root", "group", steps: ["a"])
    script.start("a", at: 0)
    script.block("a", at: 2)
    for outcome in [RunRecord.Outcome.unfinished, .cancelled, .success] {
      let record = script.record(outcome: outcome, end: 70)
      let run = SavedRun(
        name: "r", source: "", composition: "", record: record, events: script.events)
      #expect(record.intervals.map(\.to) == [.ms(70)])
      #expect(try Self.again(run).record == record)
    }
  }

  /// The steps of a pattern may come after other events of the pattern.
  @Test func `a pattern without steps yet is not a step`() throws {
    var script = EventScript()
    script.submit("serial", "serial", at: 0)
    script.start("serial", at: 0)
    func read(_ composition: String) throws -> SavedRun {
      let run = SavedRun(
        name: "r", source: "", composition: composition,
        record: script.record(outcome: .unfinished),
        events: script.events)
      return try #require(
        try SavedRuns(bytes: FileLineTests.file(run.lines(as: 1).dropLast())).runs.first)
    }
    let run = try read("serial { a: sleep }")
    #expect(run.record.steps.isEmpty && run.record.criticalPath.isEmpty && run.record.isIncomplete)
    #expect(TraceReading(run).record == run.record)
    #expect(try Self.again(run).record == run.record)
    for format in TraceFormat.allCases { #expect(!format.text(of: [run]).isEmpty) }
    // A run that is only a step contains that step.
    #expect(try read("serial").record.steps.map(\.label) == ["serial"])
  }

  /// A run that was cancelled on the live clock has no end, but keeps its findings.
  @Test func `a cancelled run keeps its findings`() throws {
    var script = EventScript("root", "serial", steps: ["a", "b"])
    script.start("a", at: 0)
    for outcome in [RunRecord.Outcome.cancelled, .success] {
      var record = script.record(clock: .live, outcome: outcome, end: 70)
      record.isIncomplete = true
      let run = SavedRun(
        name: "r", source: "", composition: "serial { a; b }", record: record, events: script.events
      )
      #expect(try Self.again(run).record == record)
    }
  }

  @Test(arguments: [true, false])
  func `a simulation that was stopped early does not blame its steps`(isStopped: Bool) throws {
    var script = EventScript("root", "serial", steps: ["a"])
    script.start("a", at: 0)
    var record = script.record(outcome: .cancelled, end: 70)
    record.isIncomplete = isStopped
    let run = SavedRun(
      name: "r", source: "", composition: "serial { a }", record: record, events: script.events)
    let rules = try Self.again(run).record.lints.map(\.rule)
    #expect(rules.contains("never-completed") == !isStopped)
  }
}
