import Foundation
import PatternTesting
import Testing

@testable import TraceAnalysis
@testable import TraceDrawing
@testable import TraceFormats
@testable import TraceModel

/// Importing Chrome traces as runs: our own and those of other programs.
@Suite struct ChromeImportTests {
  @Test(arguments: ExportSamples.runs.map(\.name))
  func `every event of an exported run is imported`(name: String) throws {
    let run = try #require(ExportSamples.runs.first { $0.name == name })
    let imported = try ChromeImport(bytes: Array(ChromeTrace.json([run]).utf8))
    #expect(imported.remarks.isEmpty && !imported.isTruncated)
    let back = try #require(imported.runs.first)
    #expect(back.record == run.record && !back.record.causesAreInferred)
    #expect(back.events.count == run.events.count)
    // The lines of a file of runs contain every field of every event.
    #expect(SavedRuns(runs: [back]).bytes == SavedRuns(runs: [run]).bytes)
  }

  @Test func `runs are imported in order with their machine`() throws {
    let machine = Machine(
      cores: 64, os: "Plan 9", compiler: "8c", buildConfiguration: "release")
    let text = TraceFormat.chrome.text(of: ExportSamples.runs, madeOn: machine)
    let imported = try ChromeImport(bytes: Array(text.utf8))
    #expect(imported.runs.map(\.name) == ExportSamples.runs.map(\.name))
    #expect(imported.machine == machine)
  }

  @Test func `control characters are imported`() throws {
    var run = ExportSamples.runs[2]
    run.name = "\u{1}\u{7F}\u{1F}\t"
    run.record.error = "\u{2}\n"
    run.events[0].name = "a\u{0}b"
    let back = try ChromeImport(bytes: Array(ChromeTrace.json([run]).utf8)).runs[0]
    #expect(back.name == run.name && back.record.error == run.record.error)
    #expect(back.events[0].name == run.events[0].name)
  }

  /// The trace events repeat the contents of the embedded runs.
  @Test func `trace events beside embedded runs are skipped`() throws {
    let text = ChromeTrace.json(ExportSamples.runs)
    let start = try #require(text.range(of: "\"traceEvents\"")).upperBound
    let imported = try ChromeImport(bytes: Array((text[..<start] + ": nonsense").utf8))
    #expect(
      SavedRuns(runs: imported.runs).bytes == SavedRuns(runs: ExportSamples.runs).bytes)
  }

  /// A trace of another program: slices of every phase, arrows of every kind, a counter with two series.
  static let foreign = """
    [{"name":"process_name","ph":"M","pid":7,"tid":1,"args":{"name":"server"}},
    {"name":"thread_name","ph":"M","pid":7,"tid":1,"args":{"name":"main loop"}},
    {"name":"inner","cat":"py","ph":"X","ts":10,"dur":5,"pid":7,"tid":1,"args":{"span":4}},
    {"name":"outer","cat":"py","ph":"X","ts":10,"dur":50.25,"pid":7,"tid":1},
    {"name":"go","cat":"f","ph":"s","id":3,"ts":12,"pid":7,"tid":1},
    {"name":"go","cat":"f","ph":"f","id":3,"ts":18,"pid":7,"tid":2},
    {"name":"handler","ph":"B","ts":20,"pid":7,"tid":2},
    {"name":"request","cat":"net","ph":"b","id":"0x1","ts":22,"pid":7,"tid":2,"bind_id":"0x9","flow_out":true},
    {"name":"body","cat":"net","ph":"b","id":"0x1","ts":23,"pid":7,"tid":2},
    {"name":"body","cat":"net","ph":"e","id":"0x1","ts":30,"pid":7,"tid":2},
    {"name":"request","cat":"net","ph":"e","id":"0x1","ts":"40.001","pid":7,"tid":2},
    {"name":"answer","ph":"X","ts":45,"dur":3,"pid":7,"tid":2,"bind_id":"0x9","flow_in":true},
    {"ph":"E","ts":60,"pid":7,"tid":2},
    {"name":"go","cat":"f","ph":"t","bp":"e","id":3,"ts":46,"pid":7,"tid":2},
    {"name":"memory","ph":"C","ts":30,"pid":7,"tid":1,"args":{"heap":2.5,"rss":5}},
    {"name":"hey","ph":"i","s":"t","ts":31,"pid":7,"tid":1,"args":{"detail":"x"}},
    {"name":"open","ph":"B","ts":50,"pid":7,"tid":1},
    {"ph":"E","ts":70,"pid":7,"tid":3},
    {"name":"none","ph":"X","dur":3,"pid":7,"tid":3},
    {"name":"strange","ph":"Z","ts":1,"pid":7,"tid":3}]
    """

  @Test func `a foreign trace is a run`() throws {
    for text in [Self.foreign, #"{"displayTimeUnit":"ms","traceEvents":"# + Self.foreign + "}"] {
      let imported = try ChromeImport(bytes: Array(text.utf8))
      #expect(imported.runs.count == 1)
      let record = try #require(imported.runs.first).record
      #expect(record.name == "server" && record.clock == .live && record.outcome == .success)
      #expect(record.causesAreInferred && record.json.contains(#""causes":"inferred""#))
      #expect(
        record.steps.map(\.path) == [
          "outer", "outer/inner", "outer/open", "handler", "handler/answer", "request",
          "request/body",
        ])
      let steps = Dictionary(uniqueKeysWithValues: record.steps.map { ($0.label, $0) })
      #expect(steps["outer"]?.started == 0 && steps["outer"]?.finished == 50_250)
      #expect(steps["request"]?.started == 12_000 && steps["request"]?.finished == 30_001)
      #expect(steps["outer"]?.lane == "main loop" && steps["handler"]?.lane == "thread 2")
      #expect(steps["outer"]?.pattern == "py" && steps["handler"]?.pattern == "slice")
      #expect(steps["open"]?.outcome == .unfinished)
      #expect(
        record.edges == [
          EdgeRecord(from: "inner", to: "handler", kind: .dependency),
          EdgeRecord(from: "inner", to: "answer", kind: .dependency),
          EdgeRecord(from: "inner", to: "open", kind: .dependency),
          EdgeRecord(from: "request", to: "answer", kind: .dependency),
        ])
      #expect(record.counters.map(\.name) == ["memory heap", "memory rss"])
      // The counters belong to no step, and draw no bar.
      #expect(record.counters.map(\.step) == ["", ""])
      let lines = Timeline(record).render().split(separator: "\n")
      #expect(!lines.dropFirst().contains { $0.contains("server") || $0.contains("?") }, "\(lines)")
      #expect(record.lints.map(\.rule) == ["never-completed"])
      #expect(imported.remarks.count == 2, "\(imported.remarks)")
      #expect(imported.remarks.contains { $0.contains("no valid time") })
      #expect(imported.remarks.contains { $0.contains("no start") })
    }
  }

  /// Slices that one thread runs within one slice form a path. For slices within no other slice, no cause is assumed.
  @Test func `nested calls of a thread are a path`() throws {
    let text = """
      [{"name":"before","ph":"X","ts":0,"dur":9,"pid":1,"tid":1},
      {"name":"outer","ph":"X","ts":10,"dur":90,"pid":1,"tid":1},
      {"name":"first","ph":"X","ts":10,"dur":30,"pid":1,"tid":1},
      {"name":"called","ph":"B","ts":15,"pid":1,"tid":1},
      {"name":"again","ph":"X","ts":15,"dur":5,"pid":1,"tid":1},
      {"ph":"E","ts":35,"pid":1,"tid":1},
      {"name":"second","ph":"X","ts":40,"dur":55,"pid":1,"tid":1},
      {"name":"aside","ph":"X","ts":20,"dur":30,"pid":1,"tid":2}]
      """
    let imported = try ChromeImport(bytes: Array(text.utf8))
    let record = try #require(imported.runs.first).record
    #expect(record.criticalPath == ["again", "second"])
    #expect(record.edges == [EdgeRecord(from: "first", to: "second", kind: .dependency)])
  }

  @Test func `a slice that ends before it starts is left out`() throws {
    let whole = #"[{"name":"a","ph":"X","ts":0,"dur":9,"pid":1,"tid":1},"#
    let text = whole + #"{"name":"b","ph":"X","ts":3,"dur":-5,"pid":1,"tid":1}]"#
    let imported = try ChromeImport(bytes: Array(text.utf8))
    #expect(imported.runs.first?.record.steps.map(\.label) == ["a"])
    #expect(
      imported.remarks == [
        "1 of the events have no valid time or duration, the first at byte \(whole.utf8.count), and were left out."
      ])
  }

  /// Times are in whole microseconds, so that the inner slice seems to end after the outer one. An arrow repeats what
  /// the order of the calls already shows.
  @Test func `rounded times hide no call`() throws {
    let text = """
      [{"name":"outer","ph":"X","ts":0,"dur":100,"pid":1,"tid":1},
      {"name":"first","ph":"X","ts":10,"dur":9,"pid":1,"tid":1},
      {"name":"inner","ph":"X","ts":11,"dur":9,"pid":1,"tid":1},
      {"name":"go","ph":"s","id":1,"ts":10,"pid":1,"tid":1},
      {"name":"second","ph":"X","ts":19,"dur":30,"pid":1,"tid":1},
      {"name":"go","ph":"f","bp":"e","id":1,"ts":19,"pid":1,"tid":1},
      {"name":"third","ph":"X","ts":60,"dur":40,"pid":1,"tid":1}]
      """
    let record = try #require(try ChromeImport(bytes: Array(text.utf8)).runs.first).record
    #expect(record.criticalPath == ["inner", "second", "third"])
    #expect(
      record.edges == [
        EdgeRecord(from: "first", to: "second", kind: .dependency),
        EdgeRecord(from: "second", to: "third", kind: .dependency),
      ])
  }

  @Test func `each process is a run`() throws {
    let text = """
      {"traceEvents":[{"name":"a","ph":"X","ts":0,"dur":5,"pid":"one","tid":"x"},
      {"name":"f","ph":"s","id":1,"ts":1,"pid":"one","tid":"x"},
      {"name":"b","ph":"X","ts":3,"dur":5,"pid":"two","tid":"x"},
      {"name":"f","ph":"f","bp":"e","id":1,"ts":4,"pid":"two","tid":"x"}]}
      """
    let imported = try ChromeImport(bytes: Array(text.utf8))
    #expect(imported.runs.map(\.name) == ["process 1", "process 2"])
    #expect(imported.runs.map(\.record.makespan) == [5_000, 5_000])
    #expect(imported.remarks.count == 1 && imported.remarks[0].contains("different processes"))
  }

  /// An arrow from a slice that has not ended is a request, unless it leads to a slice that had already started.
  @Test func `an arrow from an open slice is a request`() throws {
    let text = """
      [{"name":"producer","ph":"X","ts":0,"dur":50,"pid":1,"tid":1},
      {"name":"q","ph":"s","id":1,"ts":12,"pid":1,"tid":1},
      {"name":"consumer","ph":"X","ts":20,"dur":60,"pid":1,"tid":2},
      {"name":"q","ph":"f","bp":"e","id":1,"ts":20,"pid":1,"tid":2},
      {"name":"late","ph":"X","ts":60,"dur":10,"pid":1,"tid":1},
      {"name":"w","ph":"s","id":2,"ts":65,"pid":1,"tid":1},
      {"name":"w","ph":"f","bp":"e","id":2,"ts":66,"pid":1,"tid":2}]
      """
    let imported = try ChromeImport(bytes: Array(text.utf8))
    let run = try #require(imported.runs.first)
    #expect(
      run.record.edges == [EdgeRecord(from: "producer", to: "consumer", kind: .spawned)])
    #expect(run.record.criticalPath == ["producer", "consumer"])
    #expect(imported.remarks.count == 1 && imported.remarks[0].contains("started earlier"))
  }

  @Test func `a file of runs records that causes were inferred`() throws {
    let imported = try ChromeImport(bytes: Array(Self.foreign.utf8))
    let saved = try SavedRuns(bytes: SavedRuns(runs: imported.runs).bytes)
    #expect(saved.runs.map(\.record) == imported.runs.map(\.record))
    #expect(saved.runs.allSatisfy { $0.record.causesAreInferred })
    let again = try ChromeImport(bytes: Array(ChromeTrace.json(saved.runs).utf8))
    #expect(again.runs.map(\.record) == imported.runs.map(\.record))
  }

  /// After a crash, a file may end at any byte.
  @Test func `a list truncated anywhere is read up to its last complete event`() throws {
    let bytes = Array(Self.foreign.utf8)
    var steps = 0
    var whole = 0
    var bracketless = 0
    for length in 1..<bytes.count {
      do throws(SavedRunsError) {
        let imported = try ChromeImport(bytes: Array(bytes[..<length]))
        let record = imported.runs[0].record
        if imported.isTruncated {
          #expect(record.outcome == .unfinished && record.isIncomplete)
        } else {
          // The bracket at the end of a list may be missing.
          let isWhole = record.steps.allSatisfy { $0.outcome != .unfinished }
          #expect(isWhole && record.outcome == .success && !record.isIncomplete)
          bracketless += 1
        }
        #expect(!record.lints.contains { $0.rule == "never-completed" })
        let count = record.steps.count
        #expect(count >= steps)
        steps = count
        whole += 1
      } catch {
        // The file ends before the first event.
        #expect(whole == 0, "\(length): \(error)")
      }
    }
    #expect(whole > 0 && bracketless > 0)
  }

  /// The embedded runs come first: the events after them may be torn.
  @Test func `a truncated trace of this program is complete or an error`() throws {
    let run = ExportSamples.runs[2]
    let text = ChromeTrace.json([run])
    // The bracket that ends the list of lines.
    let events = try #require(text.range(of: "\"traceEvents\"")).lowerBound
    let end = try #require(text[..<events].lastIndex(of: "]"))
    let bytes = Array(text.utf8)
    let whole = text.utf8.distance(from: text.startIndex, to: end)
    for length in 1...bytes.count {
      do throws(SavedRunsError) {
        let imported = try ChromeImport(bytes: Array(bytes[..<length]))
        #expect(length > whole && !imported.isTruncated)
        #expect(imported.runs.map(\.record) == [run.record])
      } catch {
        #expect(length <= whole, "\(length): \(error)")
        guard length > 40 else { continue }
        #expect(
          error.message
            == "its “otherData” cannot be read: the file ends in the middle of it. Copy the whole "
            + "file, or export the runs again")
      }
    }
  }

  /// Many tracers omit the bracket, since they would have to know which event is the last.
  @Test(arguments: ["", "]", ",", ",\n", " \n"])
  func `a list can lack its closing bracket`(end: String) throws {
    let closed = """
      [{"name":"a","ph":"X","ts":1,"dur":5,"pid":1,"tid":1},
      {"name":"b","ph":"B","ts":2,"pid":1,"tid":2},{"ph":"E","ts":9,"pid":1,"tid":2},
      {"name":"c","ph":"b","id":1,"ts":3,"pid":1,"tid":2},{"name":"c","ph":"e","id":1,"ts":8,"pid":1,"tid":2}
      """
    let imported = try ChromeImport(bytes: Array((closed + end).utf8))
    #expect(!imported.isTruncated)
    let record = imported.runs[0].record
    #expect(record.outcome == .success && record.lints.isEmpty && record.makespan == 8_000)
    guard end != "]" else { return }
    // A slice that has started and not ended shows that more events were to come. In another process it shows nothing.
    let open = #",{"name":"d","ph":"B","ts":9,"pid":2,"tid":1}"#
    let cut = try ChromeImport(bytes: Array((closed + open + end).utf8))
    #expect(cut.isTruncated)
    #expect(cut.runs.map(\.record.outcome) == [.success, .unfinished])
    #expect(cut.runs.allSatisfy { $0.record.lints.isEmpty })
  }

  @Test func `a file of runs is rejected with a hint to show it`() {
    let error = #expect(throws: SavedRunsError.self) {
      try ChromeImport(bytes: SavedRunsTests.small.bytes)
    }
    #expect(error?.message.contains("use “trace show”") == true)
  }

  @Test(
    arguments: [
      ("", 0, "empty"), ("hello", 0, "not a Chrome trace"), ("{}", 2, "traceEvents"),
      (#"{"a":1}"#, 7, "traceEvents"), (#"{"traceEvents":3}"#, 15, "takes a list"),
      ("[3]", 1, "in braces"), (#"[{"ph":"X"} 3]"#, 12, "was expected"),
      (#"[{"ph":"X",}]"#, 11, "a name in quotation marks"), ("[] 3", 3, "more text after"),
      (#"[{"ts":1e9999}]"#, 7, "is not a number"), ("[]", 0, "nothing with a duration"),
      (own + #"3}}"#, 60, "“runs” takes a list. Copy the whole file"),
      (own + #"[3]}}"#, 61, "the first line should be an object in braces. Copy"),
      (own + #"[{"format":1}]}}"#, 61, "its first line does not name the format"),
    ] as [(String, Int, String)])
  func `an error names the byte`(text: String, offset: Int, message: String) {
    let error = #expect(throws: SavedRunsError.self) { try ChromeImport(bytes: Array(text.utf8)) }
    #expect(error?.offset == offset, "\(String(describing: error))")
    #expect(error?.message.contains(message) == true, "\(String(describing: error))")
  }

  @Test(arguments: [
    (#"{"traceEvents":[]}"#, "Record the trace again while the program works"),
    (String(decoding: SavedRunsTests.small.bytes, as: UTF8.self), "not a trace: use “trace show”"),
    ("hello", "a list or an object was expected"),
  ])
  func `an error of the whole trace says what to do, and names no byte`(
    text: String, end: String
  ) {
    let error = #expect(throws: SavedRunsError.self) { try ChromeImport(bytes: Array(text.utf8)) }
    #expect(error?.description.hasSuffix(end) == true, "\(String(describing: error))")
  }

  private static let own = #"{"otherData":{"format":"asynchronous-pattern-trace","runs": "#

  @Test func `huge nesting is an error`() {
    let text = #"[{"args":"# + String(repeating: "[", count: 1_000_000)
    let error = #expect(throws: SavedRunsError.self) { try ChromeImport(bytes: Array(text.utf8)) }
    #expect(error?.offset == 135)
    #expect(error?.message.contains("nests too deeply") == true)
  }

  @Test func `garbage is an error and never a crash`() {
    let own = ChromeTrace.json(Array(ExportSamples.runs[2...]))
    // A trace that looks as if another program had written it.
    let renamed = own.replacing(ChromeTrace.format, with: "x")
    let sources = [Self.foreign, own, renamed].map { Array($0.utf8) }
    var generator = SplitMix(seed: 2)
    var survivors = 0
    for round in 0..<400 * SearchLength.factor {
      var damaged = sources[round % 3]
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let position = Int.random(in: damaged.indices, using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: damaged[position] = .random(in: 0...255, using: &generator)
        case 1: damaged.remove(at: position)
        case 2: damaged[position] = UInt8(ascii: "9")
        case 3: damaged.insert(UInt8(ascii: "-"), at: position)
        default: damaged.insert(contentsOf: Array("99999999999".utf8), at: position)
        }
      }
      guard let imported = try? ChromeImport(bytes: damaged) else { continue }
      survivors += 1
      // A trace that the import accepts must be safe to use.
      for run in imported.runs {
        _ = Timeline(run.record).render(width: 60)
        for format in TraceFormat.allCases { _ = format.text(of: [run]) }
      }
    }
    #expect(survivors > 0)
  }

  /// Neither deep nesting nor one long name makes the result much larger than the file.
  @Test func `generated nesting stays within bounds`() throws {
    let count = 20_000
    let name = String(repeating: "n", count: 4000)
    var text = #"[{"name":"\#(name)","ph":"B","ts":0,"pid":1,"tid":1}"#
    for index in 0..<count { text += #",{"name":"b","ph":"B","ts":\#(index),"pid":1,"tid":1}"# }
    for index in 0..<count { text += #",{"ph":"E","ts":\#(count + index),"pid":1,"tid":1}"# }
    let record = try ChromeImport(bytes: Array((text + "]").utf8)).runs[0].record
    #expect(record.steps.count == count + 1)
    #expect(record.steps.map(\.path.utf8.count).reduce(0, +) < 64 << 20 + 64 * 2 * count)
  }
}
