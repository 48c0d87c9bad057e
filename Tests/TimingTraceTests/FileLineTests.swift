import AsyncPatterns
import Foundation
import Testing
import TraceBasics

@testable import TraceAnalysis
@testable import TraceDrawing
@testable import TraceFormats
@testable import TraceModel

extension SavedRun {
  /// The lines of the run in a file, without newlines.
  func lines(as number: Int) -> [String] {
    var writer = JSONWriter()
    write(as: number, to: &writer)
    return writer.text.split(separator: "\n").map(String.init)
  }
}

/// The lines of a file of runs: whole, torn and broken lines.
@Suite struct FileLineTests {
  private static let small = SavedRunsTests.small

  static func file(_ lines: [String]) -> [UInt8] {
    SavedRuns(machine: SavedRunsTests.machine).bytes + Array(lines.map { $0 + "\n" }.joined().utf8)
  }

  @Test func `an event is a readable line`() {
    var events: [TraceEvent] = [
      .submitted(Span(id: 2), in: Span(id: 1), label: "fetch", kind: "sleep", at: .zero),
      .started(Span(id: 2), at: Instant(nanoseconds: 1200)),
      .started(Span(id: 3), because: Cause(.end, Span(id: 2)), at: Instant(nanoseconds: 1300)),
      .counter("depth", 2.5, of: Span(id: 2), at: Instant(nanoseconds: 1300)),
      .finished(Span(id: 2), .failure, reason: "offline", at: Instant(nanoseconds: 1300)),
    ]
    for index in events.indices { events[index].lane = Lane(number: 4) }
    let record = RunRecord(events: events, clock: .live, outcome: .success)
    let run = SavedRun(name: "r", source: "", composition: "", record: record, events: events)
    #expect(
      run.lines(as: 7).dropFirst().dropLast() == [
        #"{"run":7,"e":"submitted","t":0,"lane":4,"span":2,"in":1,"label":"fetch","kind":"sleep"}"#,
        #"{"run":7,"e":"started","t":1200,"lane":4,"span":2}"#,
        #"{"run":7,"e":"started","t":1300,"lane":4,"span":3,"cause":{"end":2}}"#,
        #"{"run":7,"e":"counter","t":1300,"lane":4,"span":2,"name":"depth","value":2.5}"#,
        #"{"run":7,"e":"finished","t":1300,"lane":4,"span":2,"outcome":"failure","reason":"offline"}"#,
      ])
  }

  /// A file that is torn at any byte is read up to its last whole line.
  @Test func `a torn file is read up to its last whole line`() throws {
    let bytes = Self.small.bytes
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let header = lines[0].utf8.count
    for length in bytes.indices {
      let torn = Array(bytes[..<length])
      guard length >= header else {
        #expect(throws: SavedRunsError.self) { try SavedRuns(bytes: torn) }
        continue
      }
      let read = try SavedRuns(bytes: torn)
      // A line that lacks only its newline is whole.
      let whole = text.utf8.prefix(length + 1).count { $0 == 0x0A }
      let kinds = lines[..<whole].dropFirst().map { line in
        ["run-started", "run-ended"].first { line.contains("\"e\":\"\($0)\"") } ?? "event"
      }
      #expect(read.runs.count == kinds.count { $0 == "run-started" }, "\(length)")
      #expect(read.runs.flatMap(\.events).count == kinds.count { $0 == "event" }, "\(length)")
      let ended = kinds.count { $0 == "run-ended" }
      #expect(read.runs.prefix(ended).map(\.record) == Self.small.runs.prefix(ended).map(\.record))
      for run in read.runs.dropFirst(ended) {
        #expect(run.record.outcome == .unfinished && run.record.isIncomplete, "\(length)")
      }
    }
  }

  @Test func `two concurrent runs are distinguished`() throws {
    let (first, second) = (Self.small.runs[0], Self.small.runs[1])
    let (one, other) = (first.lines(as: 3), second.lines(as: 1))
    // The lines alternate, so that the second run ends last.
    var lines: [String] = []
    for index in 0..<max(one.count, other.count) {
      for run in [one, other] where index < run.count { lines.append(run[index]) }
    }
    let read = try SavedRuns(bytes: Self.file(lines))
    let expected = one.count <= other.count ? [first, second] : [second, first]
    #expect(read.runs.map(\.name) == expected.map(\.name))
    #expect(read.runs.map(\.record) == expected.map(\.record))
    #expect(read.runs.map { "\($0.events)" } == expected.map { "\($0.events)" })
    // After the end of a run, its number may be used again.
    let again = try SavedRuns(bytes: Self.file(one + first.lines(as: 3)))
    #expect(again.runs.map(\.record) == [first.record, first.record])
  }

  @Test func `a broken line in the middle is an error that names it`() throws {
    let path = NSTemporaryDirectory() + "/broken-\(UUID().uuidString).runs"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var lines = Self.small.runs[0].lines(as: 1)
    lines[3] = String(lines[3].dropLast())
    try Data(Self.file(lines)).write(to: URL(filePath: path))
    let error = #expect(throws: SavedRunsError.self) { try SavedRuns.read(path) }
    #expect(
      error?.description == "\(path), line 5: this line cannot be read: “,” or “}” was expected. "
        + "Remove the line, or save the runs again")
  }

  /// Each line replaces the fifth line of a file, whose run has the number 1.
  @Test(arguments: [
    (#"[]"#, "the line should be an object in braces"), ("hello", "a value was expected"),
    (#"{"run":1}"#, "“e” of the line is missing: it takes a string"),
    (
      #"{"run":2,"e":"started"}"#,
      "the line “run-started” of run 2 is missing before it. Remove all lines of run 2, or save"
    ),
    (#"{"run":1,"e":"run-started"}"#, "takes a number that no unfinished run has"),
    (#"{"run":2,"e":"run-started","start":0}"#, "“name” of the line is missing"),
    (#"{"run":1,"e":"run-ended"}"#, "“outcome” of the line is missing"),
    (#"{"run":1,"e":"landed","t":0,"lane":0,"span":1}"#, "a kind of event that this program knows"),
    (
      #"{"run":1,"e":"started","t":"now","lane":0,"span":1}"#,
      "“t” of the line takes a whole number"
    ),
    (#"{"run":1,"e":"started","t":0,"lane":0,"span":-1}"#, "a whole number from 0 to 4294967295"),
    (#"{"run":1,"e":"finished","t":0,"lane":0,"span":1,"outcome":"waiting"}"#, "or cancelled"),
    (#"{"run":1,"e":"started","t":0,"lane":0,"span":1,"cause":{"x":1}}"#, "takes a cause that"),
    (
      #"{"run":1,"e":"counter","t":0,"lane":0,"span":1,"value":"7"}"#, "“value” of the line takes a"
    ),
    (
      #"{"run":1,"e":"mark","t":0,"lane":0,"span":1,"name":{}}"#,
      "“name” of the line takes a string"
    ),
    (#"{"run":1,"e":"dropped","events":-1}"#, "a whole number from 0"),
  ])
  func `an invalid line is reported with its reason`(line: String, reason: String) {
    let lines = Self.small.runs[0].lines(as: 1)
    let bytes = Self.file(lines[..<3] + [line] + lines[3...])
    let error = #expect(throws: SavedRunsError.self) { try SavedRuns(bytes: bytes) }
    #expect(error?.line == 5)
    #expect(error?.message.contains(reason) == true, "\(String(describing: error))")
  }

  /// Such a file is still read, since most of it may be right.
  @Test(
    arguments: [
      (-5, "line 5: the event is before the start of its run"),
      (9_200_000_000_000_000_000, "line 5: the event is 100 years after the start of its run"),
    ] as [(Int64, String)])
  func `a time that no event can have is a remark with its line`(time: Int64, remark: String) throws
  {
    let lines = Self.small.runs[0].lines(as: 1)
    let wrong = #"{"run":1,"e":"worked","t":\#(time),"lane":0,"span":1}"#
    let read = try SavedRuns(bytes: Self.file(lines[..<3] + [wrong, wrong] + lines[3...]))
    #expect(read.remarks == [remark + ". The file is damaged; save the runs again"])
    #expect(read.runs.count == 1)
  }

  @Test func `an end before the start is a remark with its line`() throws {
    let lines = Self.small.runs[0].lines(as: 1)
    let wrong = [
      #"{"run":1,"e":"started","t":7,"lane":0,"span":9}"#,
      #"{"run":1,"e":"finished","t":5,"lane":0,"span":9,"outcome":"success"}"#,
    ]
    let read = try SavedRuns(bytes: Self.file(lines[..<3] + wrong + lines[3...]))
    #expect(
      read.remarks == [
        "line 6: the step finishes before it starts. The file is damaged; save the runs again"
      ])
    #expect(read.runs.count == 1)
  }

  @Test func `a missing line of an ended run is a remark, and none of an unfinished run`() throws {
    var lines = Self.small.runs[0].lines(as: 1)
    lines.remove(at: 1)
    let count = lines.count - 2
    let read = try SavedRuns(bytes: Self.file(lines))
    #expect(
      read.remarks == [
        "line \(lines.count + 1): the run has \(count + 1) events, but the file contains \(count) of them. "
          + "The file is damaged; save the runs again"
      ])
    #expect(try SavedRuns(bytes: Self.file(lines.dropLast())).remarks.isEmpty)
    #expect(try SavedRuns(bytes: Self.small.bytes).remarks.isEmpty)
  }

  /// As editors leave a file: with or without a newline at the end, or with blank lines after it.
  @Test(arguments: ["", "\n", "\r\n", "\n\n", " \n\t\n "])
  func `blank lines at the end are ignored`(end: String) throws {
    let read = try SavedRuns(bytes: Self.small.bytes.dropLast() + Array(end.utf8))
    #expect(read.runs.map(\.record) == Self.small.runs.map(\.record))
  }

  /// A step of `serial { s: n * sleep }` has four events.
  @Test func `an event takes few bytes`() throws {
    let steps = (1...2000).map { ("s-\($0)", Int64(1)) }
    let events = StepComparisonTests.script(steps).events
    let run = SavedRun(
      name: "r", source: "", composition: "", record: StepComparisonTests.run(steps), events: events
    )
    #expect(SavedRuns(runs: [run]).bytes.count < 90 * events.count)
  }
}
