import AsyncPatterns
import Foundation
import Testing

@testable import TraceAnalysis
@testable import TraceDrawing
@testable import TraceFormats
@testable import TraceModel

/// Files that were made to cause harm.
@Suite struct HostileFileTests {
  private static let bytes = RunJournalTests.unfinishedRun
  private static let text = String(decoding: bytes, as: UTF8.self)

  @Test(
    arguments: [
      // A value must not nest deeper than a line may.
      (#""start":"#, #""start":"# + String(repeating: "[", count: 1_000_000)),
      (#""label":"#, #""label":"# + String(repeating: #"{"a":"#, count: 1_000_000)),
      (#""makespan_ns":17000000"#, #""makespan_ns":1e999"#),
      (#""makespan_ns":17000000"#, #""makespan_ns":123456789012345678901234567890"#),
      (#""makespan_ns":17000000"#, #""makespan_ns":"# + String(repeating: "9", count: 1_000_000)),
      (#""makespan_ns":17000000"#, #""makespan_ns":-5"#),
      (#""makespan_ns":17000000"#, #""makespan_ns":17000000,"makespan_ns":1"#),
      (#""makespan_ns":17000000"#, #""lasting_ns":"x","makespan_ns":17000000"#),
      (#""dropped_events":"#, #""dropped_events":-1,"x":"#), (#""events":"#, #""events":-1,"x":"#),
      (#""name":"a""#, #""name":"a","name":"b""#), (#""start":"#, #""start":1.5,"x":"#),
      (#""run":1"#, #""run":99999999999999999999"#),
      // Spans that cannot exist, and kinds that do not exist.
      (#""span":1"#, #""span":-1"#), (#""span":1"#, #""span":4294967296"#),
      (#""lane":7"#, #""lane":-7"#), (#""e":"started""#, #""e":"""#),
      (#""e":"started""#, #""e":11"#),
      (#""workers":3"#, #""workers":1000000000000"#), (#""workers":3"#, #""workers":0"#),
    ] as [(String, String)])
  func `damage is an error that names its line`(part: String, harm: String) throws {
    let place = try #require(Self.text.range(of: part))
    let harmed = Self.text.replacingCharacters(in: place, with: harm)
    let error = #expect(throws: SavedRunsError.self) { try SavedRuns(bytes: Array(harmed.utf8)) }
    #expect(error?.line == 1 + Self.text[..<place.lowerBound].count { $0 == "\n" })
  }

  @Test(arguments: ["2", "0", "99999999999999999999", "\"1\""])
  func `another version is an error`(version: String) {
    let harmed = Self.text.replacing(#""version":1"#, with: #""version":"# + version)
    #expect(throws: SavedRunsError.self) { try SavedRuns(bytes: Array(harmed.utf8)) }
  }

  @Test func `text that is not UTF-8 is an error with its line`() throws {
    let place = try #require(Self.text.range(of: "quoted"))
    let start = Self.text.utf8.distance(from: Self.text.startIndex, to: place.lowerBound)
    for bytes in [[0xFF, 0xFE], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]]
      as [[UInt8]]
    {
      var harmed = Self.bytes
      harmed.replaceSubrange(start..<(start + bytes.count), with: bytes)
      let error = #expect(throws: SavedRunsError.self) { try SavedRuns(bytes: harmed) }
      #expect(error?.line == 2 && error?.message.contains("a string is not UTF-8") == true)
    }
  }

  @Test(arguments: [
    #"{"a":"\x"}"#, #"{"a":"\u12g4"}"#, #"{"a":"\u+123"}"#, #"{"a":"\u12"}"#, #"{"a":"\udc00"}"#,
    #"{"a":"\ud800\u0041"}"#, #"{"a":"\ud800x"}"#, #"{"a":nulL}"#, #"{"a":--5}"#, #"{"a":1e5e}"#,
    #"{"a":1,}"#, #"{"a" 1}"#, #"{"a":1}}"#, "{\"a\":\"b\tc\"}",
  ])
  func `a line that is not JSON is an error`(line: String) throws {
    let lines = Self.text.split(separator: "\n").map(String.init)
    let harmed = [lines[0], line] + lines[1...]
    let error = #expect(throws: SavedRunsError.self) {
      try SavedRuns(bytes: Array(harmed.joined(separator: "\n").utf8))
    }
    #expect(error?.line == 2, "\(String(describing: error))")
  }

  @Test func `steps that contain themselves cause no endless loop`() throws {
    let events = [
      #""e":"submitted","t":0,"span":1,"in":2,"label":"a","kind":"x""#,
      #""e":"submitted","t":0,"span":2,"in":1,"label":"b","kind":"x""#,
      #""e":"submitted","t":0,"span":3,"in":3,"label":"c","kind":"x""#,
      #""e":"awaited","t":0,"span":1,"cause":{"end":2}"#,
      #""e":"started","t":0,"span":1,"on":1,"cause":{"lane":1},"after":{"parent":1},"since":-9223372036854775808"#,
      #""e":"awaited","t":0,"span":2,"cause":{"end":1}"#,
      #""e":"suspended","t":9223372036854775807,"span":1"#,
      #""e":"resumed","t":-9223372036854775808,"span":1,"cause":{"timer":1},"since":-9000000000000000000"#,
      #""e":"cancelled","t":0,"span":2,"cause":{"cancellation":2}"#,
      #""e":"finished","t":9223372036854775807,"span":1,"outcome":"success","cause":{"end":3}"#,
      #""e":"finished","t":-9223372036854775808,"span":2,"outcome":"cancelled","cause":{"end":1}"#,
      #""e":"worked","t":0,"span":1,"for":1e308"#, #""e":"worked","t":0,"span":1,"for":1e308"#,
      #""e":"resumed","t":0,"span":1,"cause":{"lane":3},"queued":"nan""#,
      #""e":"counter","t":0,"span":1,"value":"-inf""#,
      #""e":"blocked","t":-9223372036854775808,"span":1"#,
      #""e":"unblocked","t":9223372036854775807,"span":1"#,
    ]
    let lines = events.map { #"{"run":7,"lane":1,"# + $0 + "}" }
    let end = RunJournalTests.beginning.lines(as: 7)[1]
      .replacing(#""events":0"#, with: #""events":9223372036854775807,"lasting_ns":-1"#)
    for lines in [lines, lines + [end]] {
      let read = try SavedRuns(
        bytes: FileLineTests.file([RunJournalTests.beginning.lines(as: 7)[0]] + lines))
      for run in read.runs { Self.use(run, read.runs[0]) }
    }
  }

  /// The file claims a pattern that never got its parts, and a step that belongs to no pattern.
  @Test func `a step beside an unfinished pattern without parts is shown`() throws {
    let lines = [
      RunJournalTests.beginning.lines(as: 7)[0],
      #"{"run":7,"e":"submitted","t":0,"lane":1,"span":1,"label":"serial","kind":"serial"}"#,
      #"{"run":7,"e":"submitted","t":0,"lane":1,"span":2,"in":9,"label":"b","kind":"value"}"#,
      #"{"run":7,"e":"started","t":0,"lane":1,"span":2}"#,
      #"{"run":7,"e":"finished","t":5,"lane":1,"span":2,"outcome":"success"}"#,
    ]
    let run = try #require(try SavedRuns(bytes: FileLineTests.file(lines)).runs.first)
    #expect(run.record.steps.map(\.label) == ["b"])
    #expect(Analysis(of: run).criticalPath.map(\.path) == ["b"])
    Self.use(run, run)
  }

  /// The pattern that the file claims is an unfinished one with parts, and caused the start of a step of no pattern.
  @Test func `a step beside the pattern that started it stays on the critical path`() throws {
    let lines = [
      RunJournalTests.beginning.lines(as: 7)[0],
      #"{"run":7,"e":"submitted","t":0,"lane":1,"span":1,"label":"serial","kind":"serial"}"#,
      #"{"run":7,"e":"started","t":0,"lane":1,"span":1}"#,
      #"{"run":7,"e":"submitted","t":0,"lane":1,"span":2,"in":9,"label":"b","kind":"value"}"#,
      #"{"run":7,"e":"started","t":0,"lane":1,"span":2,"cause":{"parent":1}}"#,
      #"{"run":7,"e":"finished","t":0,"lane":1,"span":2,"outcome":"success"}"#,
    ]
    let run = try #require(try SavedRuns(bytes: FileLineTests.file(lines)).runs.first)
    #expect(run.record.steps.map(\.label) == ["b"])
    #expect(run.record.criticalPath == ["b"])
  }

  /// A start behind another step says when the step was ready. Here it does not, or names a time before the step existed.
  @Test(arguments: ["", #","since":-1000"#])
  func `a step has not waited for its lane before it was submitted`(since: String) throws {
    let lines = [
      RunJournalTests.beginning.lines(as: 7)[0],
      #"{"run":7,"e":"submitted","t":0,"lane":1,"span":1,"label":"group","kind":"group"}"#,
      #"{"run":7,"e":"started","t":0,"lane":1,"span":1}"#,
      #"{"run":7,"e":"submitted","t":0,"lane":1,"span":2,"in":1,"label":"a","kind":"sleep"}"#,
      #"{"run":7,"e":"submitted","t":5,"lane":1,"span":3,"in":1,"label":"b","kind":"sleep"}"#,
      #"{"run":7,"e":"started","t":5,"lane":1,"span":2}"#,
      #"{"run":7,"e":"finished","t":20,"lane":1,"span":2,"outcome":"success"}"#,
      #"{"run":7,"e":"started","t":20,"lane":1,"span":3,"cause":{"lane":2}\#(since)}"#,
      #"{"run":7,"e":"finished","t":30,"lane":1,"span":3,"outcome":"success"}"#,
    ]
    let run = try #require(try SavedRuns(bytes: FileLineTests.file(lines)).runs.first)
    let reading = TraceReading(run)
    let start = try #require(reading.table.moments.start(of: 2))
    #expect(reading.table.queued(of: reading.table.moments[start]) == 15)
  }

  /// The time to read a run must not depend on how many other runs are open.
  @Test func `a file of starts without ends is read in linear time`() throws {
    let line = RunJournalTests.beginning.lines(as: 0)[0]
    let lines = (1...20_000).map { line.replacing(#""run":0"#, with: #""run":\#($0)"#) }
    #expect(try SavedRuns(bytes: FileLineTests.file(lines)).runs.count == 20_000)
  }

  /// A few thousand damaged files, always the same: each is an error with its line, or runs that are safe to use.
  @Test(arguments: 0..<8)
  func `damage is an error and never a crash`(part: UInt64) {
    let bytes = Self.bytes
    var generator = SplitMix(seed: 100 + part)
    let harms = [
      "99999999999999999999", "-1", "1e308", "[[[[[[[[", "{}", "null", "\"", "\\u0000", "\\ud800",
      "true", "\n", "]", "}", ",", "\u{FF}",
    ]
    for _ in 0..<400 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &generator) where !damaged.isEmpty {
        let position = Int.random(in: damaged.indices, using: &generator)
        let end = min(position + Int.random(in: 1...40, using: &generator), damaged.count)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: damaged[position] = .random(in: 0...255, using: &generator)
        case 1: damaged.removeSubrange(position..<end)
        case 2: damaged.insert(contentsOf: damaged[position..<end], at: position)
        case 3: damaged.removeSubrange(position...)
        case 4: damaged[position] = .random(in: 0x30...0x39, using: &generator)
        default:
          let harm = harms[Int.random(in: harms.indices, using: &generator)]
          damaged.insert(contentsOf: Array(harm.utf8), at: position)
        }
      }
      do throws(SavedRunsError) {
        let read = try SavedRuns(bytes: damaged)
        for run in read.runs { Self.use(run, read.runs[0]) }
      } catch {
        #expect(
          error.line.map { $0 > 1 } ?? error.message.contains("not a file of runs"), "\(error)")
      }
    }
  }

  /// A run that the reader accepts must be safe to use.
  private static func use(_ run: SavedRun, _ other: SavedRun) {
    _ = Timeline(run.record).render(width: 60)
    _ = run.record.json
    _ = Analysis(of: run)
    _ = RunRecord(events: run.events, clock: run.record.clock, outcome: run.record.outcome)
    for clock in [ClockKind.live, .virtual] {
      let comparison = Comparison(
        of: [.init("a", [other.record]), .init("b", [run.record])], clock: clock)
      _ = comparison.json
      _ = comparison.table()
      _ = comparison.boxPlot()
      _ = comparison.stepTable(of: "b")
      for named in comparison.divergences { _ = named.divergence.text(("a", "b")) }
    }
  }
}
