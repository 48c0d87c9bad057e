import AsyncPatterns
import Foundation
import Testing

@testable import TimingTrace

/// Files of runs as a journal leaves them, at any moment.
@Suite struct RunJournalTests {
  static let beginning = RunBeginning(
    name: "b", source: "serial b", composition: "serial { a; b }", workers: 3, pattern: "serial",
    clock: .live, seed: 5)

  /// A file with a run that has ended, and one that goes on, in two lines of events.
  static let goingOn: [UInt8] = {
    let events = ChromeTraceTests.script.events
    let half = events.count / 2
    return SavedRunsTests.small.bytes
      + Array((beginning.json(entry: 7) + "\n").utf8)
      + Array((RunBeginning.json(entry: 7, events[..<half], dropped: 0) + "\n").utf8)
      + Array((RunBeginning.json(entry: 7, events[half...], dropped: 2) + "\n").utf8)
  }()

  @Test func aRunThatWentOnIsUnfinished() throws {
    let read = try SavedRuns(bytes: Self.goingOn)
    #expect(read.interrupted == ["b"])
    #expect(!read.isTruncated)
    let run = try #require(read.runs.last)
    #expect(run.record.outcome == .unfinished)
    #expect(run.record.error?.contains("the program ended") == true)
    #expect(run.record.pattern == "serial" && run.record.seed == 5 && run.record.dropped == 2)
    #expect((run.source, run.composition, run.workers) == ("serial b", "serial { a; b }", 3))
    let events = ChromeTraceTests.script.events.sorted { $0.time < $1.time }
    #expect(run.events.map { "\($0)" } == events.map { "\($0)" })
  }

  /// That the recording ended does not mean that nothing came of what was under way.
  @Test func whatWasUnderWayWhenTheRecordingEndedIsNoFault() throws {
    var script = EventScript("root", "serial", steps: ["a", "b"])
    script.start("a", at: 0)
    script.block("a", at: 0)
    let line = RunBeginning.json(entry: 7, script.events[...], dropped: 0)
    let bytes =
      SavedRunsTests.small.bytes
      + Array((Self.beginning.json(entry: 7) + "\n" + line + "\n").utf8)
    var run = try #require(try SavedRuns(bytes: bytes).runs.last)
    #expect(run.record.isCutOff && run.record.outcome == .unfinished)
    #expect(!run.record.lints.contains { $0.rule == "never-completed" })
    #expect(!run.record.lints.contains { $0.message.contains("nobody woke it") })
    #expect(run.record.json.contains(#""cut_off":true"#))
    #expect(
      try JSONDecoder().decode(RunRecord.self, from: Data(run.record.json.utf8)) == run.record)
    // Nor does it when it is handed on.
    let kept = try SavedRuns(bytes: SavedRuns(runs: [run]).bytes).runs[0]
    #expect(kept.record == run.record)
    let imported = try ChromeImport(bytes: Array(ChromeTrace.json([run]).utf8)).runs[0]
    #expect(imported.record.isCutOff && imported.record.lints == run.record.lints)
    // Of a run that was recorded to its end it does.
    run.record = RunRecord(events: run.events, clock: .live, outcome: .unfinished)
    #expect(!run.record.isCutOff && !run.record.json.contains("cut_off"))
    #expect(run.record.lints.map(\.rule) == ["blocked-thread", "never-completed"])
    #expect(run.record.lints.first?.message.contains("to the end of the run") == true)
  }

  @Test func theLineOfARunTakesThePlaceOfItsEntry() throws {
    let whole = Self.goingOn + Array((SavedRunsTests.small.runs[1].json(entry: 7) + "\n").utf8)
    let read = try SavedRuns(bytes: whole)
    #expect(read.runs.map(\.record.outcome) == [.success, .success, .success])
    #expect(read.interrupted.isEmpty)
  }

  @Test func aNumberThatIsFreeAgainIsThatOfOneRun() throws {
    let begins = Array((Self.beginning.json(entry: 7) + "\n").utf8)
    let whole = Array((SavedRunsTests.small.runs[1].json(entry: 7) + "\n").utf8)
    let read = try SavedRuns(bytes: Self.goingOn + whole + begins)
    #expect(read.runs.map(\.record.outcome) == [.success, .success, .success, .unfinished])
    #expect(read.interrupted.count == 1)
  }

  @Test func aWarmUpThatDidNotEndIsOne() throws {
    var beginning = Self.beginning
    beginning.isWarmUp = true
    let line = Array((beginning.json(entry: 8) + "\n").utf8)
    let read = try SavedRuns(bytes: Self.goingOn + line)
    #expect(read.runs.map(\.isWarmUp) == [false, false, false, true])
  }

  /// Cut anywhere, it yields as many events as are whole there.
  @Test func aFileCutAnywhereIsGoodUpToItsLastWholeEvent() throws {
    let bytes = Self.goingOn
    let ends = bytes.indices.filter { bytes[$0] == 0x0A }
    // An event ends with a bracket, and what follows is the next one or the end of the list.
    let events = bytes.indices.filter { index in
      index > ends[3] && bytes[index] == UInt8(ascii: "]")
        && [UInt8(ascii: ","), UInt8(ascii: "]")].contains(bytes[index + 1])
    }
    #expect(events.count == ChromeTraceTests.script.events.count)
    for length in (ends[2] + 1)..<bytes.count {
      let read = try SavedRuns(bytes: Array(bytes[..<length]))
      guard length >= ends[3] else {
        // What begins is not whole yet.
        #expect(read.runs.count == 2)
        #expect(read.isTruncated == (length > ends[2] + 1))
        continue
      }
      #expect(read.runs.count == 3)
      #expect(read.runs.last?.events.count == events.count { $0 < length })
      let isInside = bytes[length - 1] != 0x0A && bytes[length] != 0x0A
      // Before its number is whole, nobody knows whose line it is.
      let line = bytes[..<length].split(separator: 0x0A).last ?? []
      let isLeftOut = !String(decoding: line, as: UTF8.self).contains(#""entry":7,"#)
      let tear = SavedRuns.Tear(offset: length, isLeftOut: isLeftOut)
      #expect(read.tear == (isInside ? tear : nil), "\(length)")
    }
  }

  /// Whichever has more of it counts: the line of a run that breaks off, or its entry.
  @Test func theLineOfARunThatBreaksOffIsGoodUpToItsLastWholeEvent() throws {
    let line = SavedRunsTests.small.runs[1].json(entry: 7)
    let bytes = Array(line.utf8)
    let list = try #require(line.range(of: #""events":["#))
    let start = line.utf8.distance(from: line.startIndex, to: list.upperBound)
    let events = bytes.indices.filter { index in
      index > start && bytes[index] == UInt8(ascii: "]")
        && [UInt8(ascii: ","), UInt8(ascii: "]")].contains(bytes[index + 1])
    }
    let known = ChromeTraceTests.script.events.count
    #expect(events.count == known)
    let begun = SavedRunsTests.small.bytes + Array((Self.beginning.json(entry: 7) + "\n").utf8)
    for length in bytes.indices.dropFirst() {
      let torn = Array(bytes[..<length])
      let afresh = try SavedRuns(bytes: begun + torn)
      let whole = events.count { $0 < length }
      #expect(afresh.runs.last?.events.count == whole, "\(length)")
      #expect(afresh.runs.count == 3, "\(length)")
      #expect(afresh.interrupted == (whole == known ? [] : ["b"]), "\(length)")
      #expect(afresh.tear?.offset == (length < bytes.count ? begun.count + length : nil))
      if length % 16 == 0 {
        let written = try SavedRuns(bytes: Self.goingOn + torn)
        #expect(written.runs.last?.events.count == known && written.runs.count == 3, "\(length)")
        // The entry has all of them: the record is enough.
        #expect(written.runs.last?.record.isCutOff == (length < start), "\(length)")
      }
    }
  }

  @Test func whatIsWrongWithAnEntryIsAnErrorWithItsByte() throws {
    let start = SavedRunsTests.small.bytes.count
    let wrong = [
      #"{"entry":7,"dropped_events":0,"events":[]}"#,
      #"{"entry":7,"begins":{}}"#,
      #"{"entry":"x","begins":{}}"#,
      #"{"entry":7,"begins":[]}"#,
      Self.beginning.json(entry: 7).replacing(#""workers":3"#, with: #""workers":9000000000"#),
    ]
    for line in wrong {
      let error = #expect(throws: SavedRunsError.self, "\(line)") {
        try SavedRuns(bytes: SavedRunsTests.small.bytes + Array((line + "\n").utf8))
      }
      #expect(error?.offset == start, "\(line)")
    }
    let twice = Self.beginning.json(entry: 7) + "\n"
    let error = #expect(throws: SavedRunsError.self) {
      try SavedRuns(bytes: SavedRunsTests.small.bytes + Array((twice + twice).utf8))
    }
    #expect(error?.offset == start + twice.utf8.count)
  }

  // MARK: Writing

  @Test func aFileIsWholeAtAnyMoment() async throws {
    let path = NSTemporaryDirectory() + "/journal-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let journal = RunJournal(path: path)
    let recorder = Recorder(clock: .live)
    let first = journal.begin(Self.beginning, recorder: nil)
    let second = journal.begin(Self.beginning, recorder: recorder)
    journal.end(first, SavedRunsTests.small.runs[0])
    var read = try SavedRuns.read(path)
    #expect(read.runs.map(\.name) == ["a", "b"])
    #expect(read.interrupted == ["b"])
    journal.end(second, SavedRunsTests.small.runs[1])
    read = try SavedRuns.read(path)
    #expect(read.runs.map(\.name) == ["a", "b"])
    #expect(read.interrupted.isEmpty)
    // It holds more than runs now, which is to be written anew.
    #expect(journal.close() == nil)
  }

  @Test func runsOneAfterAnotherLeaveNothingElse() async throws {
    let path = NSTemporaryDirectory() + "/journal-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let journal = RunJournal(path: path)
    for run in SavedRunsTests.small.runs {
      journal.end(journal.begin(Self.beginning, recorder: nil), run)
    }
    #expect(journal.close() == 2)
    var expected = SavedRunsTests.small
    expected.machine = .current
    #expect(try SavedRuns.contents(of: path) == expected.bytes)
  }

  @Test func whereNothingCanBeWrittenNothingIsClaimed() {
    let journal = RunJournal(path: "/nowhere/at/all")
    journal.end(journal.begin(Self.beginning, recorder: nil), SavedRunsTests.small.runs[0])
    #expect(journal.close() == nil)
  }

  @Test func aRecorderTellsEachEventOnce() {
    let recorder = Recorder(clock: .live)
    var position = Recorder.Position()
    var seen: [UInt32] = []
    var next: UInt32 = 0
    // Around the ends of chunks, and across them.
    for count in [0, 1, 62, 1, 1, 127, 2, 5000, 0, 3] {
      for _ in 0..<count {
        recorder.record(.started(Span(id: next), at: Instant(nanoseconds: Int64(next))))
        next += 1
      }
      let events = recorder.events(since: &position)
      #expect(events.count == count)
      seen += events.map(\.span.id)
    }
    #expect(seen == Array(0..<next))
    #expect(recorder.snapshot().count == Int(next))
  }

  @Test func whatIsToldMeanwhileIsToldOnce() {
    let recorder = Recorder(clock: .live)
    let told = Locked<[UInt32]>([])
    let running = Locked(2)
    onThreads(3) { role in
      if role == 0 {
        var position = Recorder.Position()
        var isLast = false
        repeat {
          isLast = running.withLock { $0 == 0 }
          let events = recorder.events(since: &position)
          told.withLock { $0 += events.map(\.span.id) }
        } while !isLast
      } else {
        for id in 0..<20_000 {
          recorder.record(.started(Span(id: UInt32(role * 20_000 + id)), at: .zero))
        }
        running.withLock { $0 -= 1 }
      }
    }
    #expect(told.withLock { $0.sorted() } == Array(20_000..<60_000))
  }
}
