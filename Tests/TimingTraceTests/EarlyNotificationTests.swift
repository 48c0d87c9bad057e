import Testing

@testable import TraceAnalysis
@testable import TraceDrawing
@testable import TraceFormats
@testable import TraceModel

/// A pattern that promises that all of its steps have ended, although some had not.
@Suite struct EarlyNotificationTests {
  private static func group(awaitsAll: Bool, endsAt end: Int64) -> EventScript {
    let early = awaitsAll ? "" : "early"
    return EventScript(
      "group: group.naive \(early) 0..\(end) { a: 0..5; b: 0..20; c: 0..; left-out: }")
  }

  private static func early(_ record: RunRecord) -> [LintRecord] {
    record.lints.filter { $0.rule == "early-notification" }
  }

  @Test func `it names the steps that had not completed, and the fix`() throws {
    let record = Self.group(awaitsAll: true, endsAt: 10).record()
    let lint = try #require(Self.early(record).first)
    #expect(Self.early(record).count == 1)
    #expect(lint.step == "group")
    #expect(
      lint.message
        == "“group” completed while “b” and “c” had not, although its manual says that it waits "
        + "for all: a step has not completed when the call that starts it returns; enter before it "
        + "starts and leave when it completes, as group does")
  }

  @Test func `a pattern without that promise may leave steps running, as race does`() {
    #expect(Self.early(Self.group(awaitsAll: false, endsAt: 10).record()).isEmpty)
  }

  @Test func `a pattern that waited for all steps is clean`() {
    let script = EventScript("group: group { a: 0..5; never-started: }")
    #expect(Self.early(script.record()).isEmpty)
  }

  @Test func `a saved run reports the same when it is analysed again`() throws {
    let script = Self.group(awaitsAll: true, endsAt: 10)
    let run = SavedRun(
      name: "a", source: "", composition: "", record: script.record(), events: script.events)
    let read = try SavedRuns(bytes: SavedRuns(machine: SavedRunsTests.machine, runs: [run]).bytes)
    let again = RunRecord(
      events: try #require(read.runs.first).events, clock: .virtual, outcome: .success)
    #expect(Self.early(again).count == 1)
  }
}
