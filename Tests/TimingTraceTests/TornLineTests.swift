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
    for length in harmEnd + 1..<harmed.utf8.count {
      let error = #expect(throws: SavedRunsError.self, "\(length)") {
        try SavedRuns(bytes: before + Array(harmed.utf8.prefix(length)))
      }
      #expect(error?.offset == before.count, "\(length)")
    }
  }

  /// Lines that are no JSON, each with how much of it tells that, and the byte where it is wrong.
  private static let wrong: [(line: [UInt8], enough: Int, offset: Int)] = [
    (bytes(#"{"name":"a","name":"b"}"#), 18, 12),
    (bytes(#"{"a":{"b":1,"b":2}}"#), 15, 12),
    (bytes(#"{"entry":1e99999,"#), 14, 9), (bytes(#"{"entry":-1e309,"#), 15, 9),
    (bytes(#"{"entry":--5,"#), 11, 9), (bytes(#"{"entry":-}"#), 11, 9),
    (bytes(#"{"entry":1e5e,"#), 13, 9), (bytes(#"{"entry":+-1"#), 11, 9),
    (bytes(#"{"a":tru,"#), 9, 5), (bytes(#"{"a":nulL"#), 9, 5),
    (bytes(#"{"a" 1"#), 6, 5), (bytes(#"{"a":[1 2"#), 9, 8),
    (bytes(#"{"a":1,}"#), 8, 7),
    (bytes("{\"a\":\"b\tc"), 8, 7),
    (bytes(#"{"a":"\x"#), 8, 6), (bytes(#"{"a":"\u12g4"#), 11, 6),
    (bytes(#"{"a":"\u+123"#), 9, 6), (bytes(#"{"a":"\u12""#), 11, 6),
    // Half a character, as soon as it cannot be more.
    (bytes(#"{"a":"\udc00"#), 10, 6), (bytes(#"{"a":"\ud800\u0041"#), 15, 6),
    (bytes(#"{"a":"\ud800\udbff"#), 16, 6), (bytes(#"{"a":"\ud800x"#), 13, 6),
    (bytes(#"{"a":"\ud800\n"#), 14, 6),
    // No UTF-8, also before what is escaped.
    (bytes(#"{"a":"x"#, 0xFF), 8, 6), (bytes(#"{"a":"\n"#, 0xC0), 9, 6),
    (bytes(#"{"a":""#, 0xE2, 0x82, 0x41), 9, 6),
    (bytes(#"{"a":""#, 0xF4, 0x90), 8, 6),
    (bytes(#"{"a":""#, 0xE0, 0x80), 8, 6), (bytes(#"{"a":""#, 0xED, 0xA0), 8, 6),
    (bytes(#"{"a":""#, 0xC3, 0x5C, 0x6E), 8, 6),
    (bytes(#"{"a":""#, 0xA9), 7, 6),
    (bytes(String(repeating: "[", count: 128) + "1"), 129, 128),
    (bytes(String(repeating: #"{"a":"#, count: 128)), 640, 640),
  ]

  private static func bytes(_ text: String, _ more: UInt8...) -> [UInt8] { Array(text.utf8) + more }

  @Test(arguments: wrong)
  func whatNothingBehindItCanMendIsAnError(line: [UInt8], enough: Int, offset: Int) {
    let before = Self.small.bytes
    func error(_ bytes: [UInt8]) -> SavedRunsError? {
      do throws(SavedRunsError) { _ = try SavedRuns(bytes: before + bytes) } catch { return error }
      return nil
    }
    for length in 1...line.count {
      let found = error(Array(line[..<length]))
      if length < enough {
        // An array is none of a file's lines, be it whole or not.
        #expect(found == nil || line[0] == UInt8(ascii: "["), "\(length)")
      } else {
        #expect(found?.offset == before.count + offset, "\(length)")
        #expect(found == error(line[..<length] + [0x0A]), "as in a whole line, \(length)")
      }
    }
  }

  /// At every byte of every character, escape, number and word: what is to come may make it whole.
  @Test func whatMayStillBecomeSomethingIsNoFault() throws {
    let line = Array(
      #"{"name":"aé€😀\u00e9\ud83d\ude00\n\\","n":[-1.5e+30,0,1e-400,true,false,null,{},[]],"source":"x"#
        .utf8)
    let before = Self.small.bytes
    for length in 1...line.count {
      let read = try SavedRuns(bytes: before + line[..<length])
      #expect(read.runs.count == 2 && read.tear?.isLeftOut == true, "\(length)")
    }
    // So many digits are too large by themselves, and not with what may follow.
    let digits = Array((#"{"n":"# + String(repeating: "9", count: 400)).utf8)
    #expect(try SavedRuns(bytes: before + digits).runs.count == 2)
    #expect(try SavedRuns(bytes: before + digits + Array("e-200".utf8)).runs.count == 2)
    #expect(throws: SavedRunsError.self) { try SavedRuns(bytes: before + digits + Array(",".utf8)) }
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
