import AsyncPatterns
import Foundation
import Testing

@testable import TimingTrace

/// Files whose last line breaks off: what is there of it is held to what a whole line is.
@Suite struct TornLineTests {
  private static let small = SavedRunsTests.small
  private static let line = small.runs[1].json

  /// The file up to its second run, and the beginning of that one's line.
  private static func file(_ line: String, upTo part: String) throws -> [UInt8] {
    let end = try #require(line.range(of: part)).upperBound
    return SavedRuns(machine: small.machine, runs: [small.runs[0]]).bytes
      + Array(line[..<end].utf8)
  }

  @Test(arguments: [
    (#""clock":"virtual""#, #""clock":"bogus""#), (#""dropped_events":0"#, #""dropped_events":-5"#),
    (#""name":"b""#, #""name":5"#), (#""name":"b""#, #""workers":-1,"name":"b""#),
    (#""threads":1"#, #""threads":1.5"#), (#""seed":0"#, #""seed":"x""#),
    (#""name":"b""#, #""name":"b","warm_up":3"#), (#""blocked_ns":"#, #""blocked_ns":{},"x":"#),
  ])
  func whatIsWrongInItIsAnErrorWithItsByte(part: String, harm: String) throws {
    let harmed = Self.line.replacing(part, with: harm, maxReplacements: 1)
    let before = SavedRuns(machine: Self.small.machine, runs: [Self.small.runs[0]]).bytes
    let end = try #require(harmed.range(of: harm)).upperBound
    let harmEnd = harmed.utf8.distance(from: harmed.startIndex, to: end)
    // Wherever behind it the line breaks off: in the record, or in the events.
    for length in stride(from: harmEnd + 1, to: harmed.utf8.count, by: 5) {
      let error = #expect(throws: SavedRunsError.self, "\(length)") {
        try SavedRuns(bytes: before + Array(harmed.utf8.prefix(length)))
      }
      #expect(error?.offset == before.count, "\(length)")
    }
  }

  @Test(arguments: [
    #"["bad","event",1],[2"#, #"[11,0,1,1],[2"#, #"[2,0,-9,1],"#, #"7,[2"#, #"{},[2,0"#,
  ])
  func anEventThatIsNoneIsAnError(events: String) throws {
    let bytes = try Self.file(Self.line, upTo: #""events":["#)
    #expect(throws: SavedRunsError.self) { try SavedRuns(bytes: bytes + Array(events.utf8)) }
    let entry =
      RunJournalTests.beginning.json(entry: 7) + "\n"
      + #"{"entry":7,"dropped_events":0,"events":["# + events
    #expect(throws: SavedRunsError.self) {
      try SavedRuns(bytes: Self.small.bytes + Array(entry.utf8))
    }
  }

  @Test(arguments: [
    #"{"entry":7,"dropped_events":-5,"#, #"{"entry":8,"dropped_events":0,"#, #"{"entry":"x","#,
    #"{"entry":7,"begins":{"#, #"{"entry":8,"begins":{"name":5,"#, "[1,2", "\"entry", "1",
    #"{"entry":8,"begins":{"workers":0,"#,
  ])
  func whatIsWrongInAnEntryIsAnError(torn: String) {
    let begun = RunJournalTests.goingOn
    let error = #expect(throws: SavedRunsError.self) {
      try SavedRuns(bytes: begun + Array(torn.utf8))
    }
    #expect(error?.offset == begun.count)
  }

  /// The members of an object have no order, and what is missing may have been to come.
  @Test func whatIsMissingIsNoFault() throws {
    for torn in [
      #"{"events":[],"name":"x""#, "{", #"{"entry":70"#, #"{"entry":7,"dropped_events":-"#,
    ] {
      let bytes = RunJournalTests.goingOn + Array(torn.utf8)
      let read = try SavedRuns(bytes: bytes)
      #expect(read.runs.count == 3 && read.tear?.offset == bytes.count, "\(torn)")
    }
  }

  @Test(arguments: [" ", "\t", "\r\n", "\n", " \n \n\t"])
  func blanksAtTheEndAreNothing(blanks: String) throws {
    let read = try SavedRuns(bytes: Self.small.bytes + Array(blanks.utf8))
    #expect(read.runs.count == 2 && !read.isTruncated)
    let unended = try SavedRuns(bytes: Self.small.bytes.dropLast() + Array(blanks.utf8))
    #expect(unended.runs.count == 2 && !unended.isTruncated)
  }

  /// The same of a file of an older version, whose records have their lists.
  @Test func anOlderFileIsGoodUpToItsLastWholeEvent() throws {
    let bytes = Array(OlderFiles.second.utf8)
    let start = try #require(bytes.firstIndex(of: 0x0A)) + 1
    for length in stride(from: start + 1, to: bytes.count - 1, by: 3) {
      let read = try SavedRuns(bytes: Array(bytes[..<length]))
      #expect(read.tear?.offset == length)
      #expect(read.runs.isEmpty == read.tear?.isLeftOut)
    }
    let whole = try SavedRuns(bytes: bytes).runs[0]
    #expect(try SavedRuns(bytes: bytes.dropLast(3)).runs.map(\.record) == [whole.record])
  }

  /// Its steps may have been to come.
  @Test func aPatternWithoutItsStepsIsNoStep() throws {
    var script = EventScript()
    script.submit("serial", "serial", at: 0)
    script.start("serial", at: 0)
    func read(_ composition: String) throws -> SavedRun {
      var beginning = RunJournalTests.beginning
      beginning.composition = composition
      let text =
        beginning.json(entry: 7) + "\n"
        + RunBeginning.json(entry: 7, script.events[...], dropped: 0)
      return try #require(try SavedRuns(bytes: Self.small.bytes + Array(text.utf8)).runs.last)
    }
    let run = try read("serial { a: sleep }")
    #expect(run.record.steps.isEmpty && run.record.criticalPath.isEmpty && run.record.isCutOff)
    #expect(TraceReading(run.record, run.events).record == run.record)
    #expect(try SavedRuns(bytes: SavedRuns(runs: [run]).bytes).runs[0].record == run.record)
    for format in TraceFormat.allCases { #expect(!format.text(of: [run]).isEmpty) }
    // A step alone is one.
    #expect(try read("serial").record.steps.map(\.label) == ["serial"])
  }
}
