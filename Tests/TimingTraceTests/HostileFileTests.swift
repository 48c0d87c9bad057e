import AsyncPatterns
import Foundation
import Testing

@testable import TimingTrace

/// Files that somebody made to do harm.
@Suite struct HostileFileTests {
  /// With a run whose record does not follow from its events, and stands there in full.
  private static let bytes = {
    var run = SavedRunsTests.small.runs[1]
    run.record.lints = []
    run.record.steps[0].label = "other"
    return RunJournalTests.goingOn + Array((run.json + "\n").utf8)
  }()
  private static let text = String(decoding: bytes, as: UTF8.self)

  @Test(
    arguments: [
      // Whatever nests goes no deeper than a record does.
      (#""events":["#, #""events":"# + String(repeating: "[", count: 1_000_000)),
      (#""steps":["#, #""steps":"# + String(repeating: #"{"a":"#, count: 1_000_000)),
      (#""makespan_ns":17000000"#, #""makespan_ns":1e999"#),
      (#""makespan_ns":17000000"#, #""makespan_ns":123456789012345678901234567890"#),
      (#""makespan_ns":17000000"#, #""makespan_ns":"# + String(repeating: "9", count: 1_000_000)),
      (#""threads":1"#, #""threads":-1"#),
      (#""makespan_ns":17000000"#, #""makespan_ns":-5"#),
      (#""blocked_ns":"#, #""blocked_ns":-1,"x":"#),
      (#""leaf":true"#, #""leaf":true,"parent":999999999"#),
      (#""leaf":true"#, #""leaf":true,"parent":-1"#),
      (#""name":"a""#, #""name":"a","name":"b""#),
      (#""makespan_ns":17000000"#, #""makespan_ns":17000000,"makespan_ns":1"#),
      (#""version":4"#, #""version":5"#), (#""version":4"#, #""version":0"#),
      (#""version":4"#, #""version":99999999999999999999"#),
      (
        #""dropped_events":0},"events""#, #""dropped_events":0},"lasting_ns":"x","events""#
      ),
      // Numbers of texts that have not stood before, of spans that there cannot be, of no kind.
      (#""events":[[0,"#, #""events":[[9,0,1,1,7],[0,"#),
      (#""events":[[0,"#, #""events":[[2,0,-1,1],[0,"#),
      (
        #""events":[[0,"#, #""events":[[2,0,9223372036854775807,1],[2,0,9223372036854775807,1],[0,"#
      ),
      (#""events":[[0,"#, #""events":[[7,0,1,1,0,-9223372036854775808],[0,"#),
      (#""events":[[0,"#, #""events":[[11,0,1,1],[0,"#),
      (#""events":[[0,"#, #""events":[[256,0,1,1],[0,"#),
      (#""workers":3"#, #""workers":1000000000000"#),
    ] as [(String, String)])
  func itIsAnErrorWithItsByte(part: String, harm: String) throws {
    let place = try #require(Self.text.range(of: part))
    let harmed = Self.text.replacingCharacters(in: place, with: harm)
    let error = #expect(throws: SavedRunsError.self) { try SavedRuns(bytes: Array(harmed.utf8)) }
    let offset = try #require(error?.offset)
    #expect(offset >= 0 && offset <= harmed.utf8.count)
  }

  @Test(
    arguments: [
      (
        #""leaf":true"#, #""leaf":true,"parent":7"#,
        "“parent” of step 0, 7, takes the position of an earlier step"
      ),
      (#""pattern":"sleep""#, #""pattern":7"#, "“pattern” of a step takes a string"),
      (#""pattern":"sleep","#, "", "“pattern” of a step is missing: it takes a string"),
    ])
  func itIsToldWhatIsWrong(part: String, harm: String, message: String) throws {
    let place = try #require(Self.text.range(of: part))
    let harmed = Self.text.replacingCharacters(in: place, with: harm)
    let error = #expect(throws: SavedRunsError.self) { try SavedRuns(bytes: Array(harmed.utf8)) }
    #expect(error?.message.hasPrefix(message) == true, "\(String(describing: error))")
  }

  @Test func textThatIsNotUTF8IsAnErrorWithItsByte() throws {
    let place = try #require(Self.text.range(of: "quoted"))
    let start = Self.text.utf8.distance(from: Self.text.startIndex, to: place.lowerBound)
    for bytes in [[0xFF, 0xFE], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]]
      as [[UInt8]]
    {
      var harmed = Self.bytes
      harmed.replaceSubrange(start..<(start + bytes.count), with: bytes)
      let error = #expect(throws: SavedRunsError.self) { try SavedRuns(bytes: harmed) }
      #expect(error?.message == "a string is not UTF-8")
      #expect(try #require(error?.offset) < start)
    }
  }

  @Test func stepsThatAreTheirOwnPatternEndAllTheSame() throws {
    let events = [
      #"["submitted",0,1,1,2,"a","x"]"#, #"["submitted",0,1,2,1,"b","x"]"#,
      #"["submitted",0,1,3,3,"c","x"]"#, #"["started",0,1,1]"#,
      #"["edge",0,1,1,"spawned",1]"#, #"["edge",0,1,1,"dependency",2]"#,
      #"["edge",0,1,2,"dependency",1]"#, #"["finished",9223372036854775807,1,1,"success",""]"#,
      #"["finished",-9223372036854775808,1,2,"success",""]"#,
      #"["worked",0,1,1,1e308]"#, #"["worked",0,1,1,1e308]"#,
      #"["blocked",-9223372036854775808,1,1]"#, #"["unblocked",9223372036854775807,1,1]"#,
    ]
    let line =
      #"{"entry":7,"dropped_events":0,"events":["# + events.joined(separator: ",") + "]}\n"
    let bytes =
      SavedRunsTests.small.bytes
      + Array((RunJournalTests.beginning.json(entry: 7) + "\n" + line).utf8)
    let read = try SavedRuns(bytes: bytes)
    for run in read.runs { Self.use(run, read.runs[0]) }
  }

  /// A few thousand files with something wrong each, always the same: an error inside the file, or runs
  /// that are safe to use.
  @Test(arguments: 0..<8)
  func damageIsAnErrorAndNeverACrash(part: UInt64) {
    let bytes = part % 2 == 0 ? Self.bytes : Array(OlderFiles.second.utf8)
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
        let offset = error.offset ?? -1
        #expect(offset >= 0 && offset <= damaged.count, "\(error)")
      }
    }
  }

  /// What passes for a run must be safe to use.
  private static func use(_ run: SavedRun, _ other: SavedRun) {
    _ = Timeline(run.record).render(width: 60)
    _ = run.record.json
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
