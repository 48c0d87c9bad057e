import Foundation
import Testing

@testable import TimingTrace

@Suite struct SavedRunsTests {
  static let machine = Machine(cores: 2, os: "Linux", compiler: "6.3", buildConfiguration: "debug")

  static func run(_ name: String, _ script: EventScript) -> SavedRun {
    SavedRun(
      name: name, source: "serial { … }\n\"quoted\"", composition: "serial { a; b }",
      record: script.record(name: name), events: script.events)
  }

  static let small = SavedRuns(
    machine: machine, runs: [run("a", AnalysisTests.serial), run("b", ChromeTraceTests.script)])

  @Test func whatIsWrittenIsRead() throws {
    let read = try SavedRuns(bytes: Self.small.bytes)
    #expect(read.machine == Self.machine)
    #expect(!read.isTruncated)
    #expect(read.runs.map(\.name) == ["a", "b"])
    for (one, other) in zip(read.runs, Self.small.runs) {
      #expect(one.record == other.record)
      #expect(one.record.json == other.record.json)
      #expect(one.source == other.source)
      #expect(one.composition == other.composition)
      #expect(one.events.map { "\($0)" } == other.events.map { "\($0)" })
      // And it can be analysed anew.
      let again = RunRecord(
        events: one.events, name: one.name, clock: .virtual, outcome: .success)
      #expect(again == one.record)
    }
  }

  /// What older files do not have is not there.
  @Test func scriptAndWorkersMayBeMissing() throws {
    var runs = Self.small
    runs.runs[1].script = "a = value \"\\n\"; serial { a }"
    runs.runs[1].workers = 3
    let read = try SavedRuns(bytes: runs.bytes)
    #expect(read.runs.map(\.script) == [nil, "a = value \"\\n\"; serial { a }"])
    #expect(read.runs.map(\.workers) == [nil, 3])
    let text = String(decoding: runs.bytes, as: UTF8.self)
    for wrong in ["-1", "1.5", "\"many\""] {
      let damaged = text.replacingOccurrences(of: "\"workers\":3", with: "\"workers\":\(wrong)")
      #expect(throws: SavedRunsError.self) { try SavedRuns(bytes: Array(damaged.utf8)) }
    }
  }

  @Test func aFileCutAnywhereIsGoodUpToItsLastWholeEvent() throws {
    let bytes = Self.small.bytes
    let ends = bytes.indices.filter { bytes[$0] == 0x0A }
    // An event ends with a bracket, and what follows is the next one or the end of the list.
    let text = String(decoding: bytes, as: UTF8.self)
    let lists = text.ranges(of: #""events":["#).map {
      text.utf8.distance(from: text.startIndex, to: $0.upperBound)
    }
    #expect(lists.count == 2)
    func wholeEvents(in length: Int) -> Int {
      guard let list = lists.last(where: { $0 < length }),
        !ends.contains(where: { list < $0 && $0 <= length })
      else { return 0 }
      return (list..<length).count { index in
        bytes[index] == UInt8(ascii: "]")
          && [UInt8(ascii: ","), UInt8(ascii: "]")].contains(bytes[index + 1])
      }
    }
    for length in bytes.indices {
      let cut = Array(bytes[..<length])
      if length < ends[0] {
        #expect(throws: SavedRunsError.self) { try SavedRuns(bytes: cut) }
      } else {
        let read = try SavedRuns(bytes: cut)
        // A line that lacks nothing but its newline counts.
        let whole = ends.dropFirst().count { $0 <= length }
        let events = wholeEvents(in: length)
        #expect(read.runs.count == whole + (events > 0 ? 1 : 0))
        // All of them, and the record, are the run.
        let isThere = events > 0 && events == Self.small.runs[whole].events.count
        #expect(read.interrupted.count == (events > 0 && !isThere ? 1 : 0))
        if isThere {
          #expect(read.runs.last?.record == Self.small.runs[whole].record)
        } else if events > 0, let torn = read.runs.last {
          #expect(torn.events.count == events && torn.record.outcome == .unfinished)
          #expect(torn.name == Self.small.runs[whole].name && torn.record.isCutOff)
        }
        let isInside = length > 0 && bytes[length - 1] != 0x0A && !ends.contains(length)
        #expect(read.isTruncated == isInside)
        let isLeftOut = events == 0
        #expect(
          read.tear == (isInside ? .init(offset: length, isLeftOut: isLeftOut) : nil), "\(length)")
      }
    }
  }

  @Test func garbageIsAnErrorAndNeverACrash() {
    let bytes = Self.small.bytes
    var generator = SplitMix(seed: 1)
    for _ in 0..<3000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let position = Int.random(in: damaged.indices, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: damaged[position] = .random(in: 0...255, using: &generator)
        case 1: damaged.remove(at: position)
        case 2: damaged[position] = UInt8(ascii: "9")
        default: damaged.insert(contentsOf: Array("99999999999".utf8), at: position)
        }
      }
      guard let read = try? SavedRuns(bytes: damaged) else { continue }
      // What passes for a file must be safe to use.
      for run in read.runs {
        let again = RunRecord(
          events: run.events, clock: run.record.clock, outcome: run.record.outcome)
        for record in [run.record, again] {
          _ = Timeline(record).render(width: 60)
          _ = record.json
        }
        _ = ChromeTrace.json(run.record, events: run.events)
        _ = StructuralDifference.first(between: run.record, and: again)
      }
    }
  }

  @Test(
    arguments: [
      ("", 0, "empty"), ("{}\n", 0, "no file of runs"), ("hello", 0, "a value was expected"),
      (#"{"format":"asynchronous-pattern-runs","version":5,"machine":{}}"# + "\n", 0, "version 5"),
      (#"{"format":"asynchronous-pattern-runs""#, 37, "was expected"),
      (#"{"a":"# + String(repeating: "[", count: 100_000), 132, "nests too deeply"),
    ] as [(String, Int, String)])
  func anErrorNamesTheByte(text: String, offset: Int, message: String) {
    let error = #expect(throws: SavedRunsError.self) { try SavedRuns(bytes: Array(text.utf8)) }
    #expect(error?.offset == offset, "\(String(describing: error))")
    #expect(error?.message.contains(message) == true, "\(String(describing: error))")
  }

  /// A line that breaks off is good up to there.
  @Test(
    arguments: [
      ("hello world", 0), (#"{"name":"x" @@@@"#, 12), (String(repeating: "[", count: 1000), 128),
      (#"{"name":"x"}}"#, 12), ("\0\0\0", 0),
    ])
  func garbageWithoutANewlineIsNoTornLine(line: String, offset: Int) {
    let bytes = Self.small.bytes
    let error = #expect(throws: SavedRunsError.self) {
      try SavedRuns(bytes: bytes + Array(line.utf8))
    }
    #expect(error?.offset == bytes.count + offset, "\(String(describing: error))")
  }

  /// However much stands before what tells that, in a trace of ours or of others.
  @Test func aChromeTraceIsToldAsSuch() throws {
    let long = String(repeating: "x", count: 100_000)
    var run = Self.small.runs[0]
    run.composition = "serial { \(long) }"
    let event = #"{"name":"a","ph":"X","ts":0,"dur":5,"pid":1,"tid":2}"#
    for text in [
      ChromeTrace.json([run]), #"{"metadata":{"a":"\#(long)"},"traceEvents":[\#(event)]}"#,
      "{\n  \"traceEvents\" : [\(event)", "[{}, {\"args\":{\"a\":\"\(long)\"}},\n\(event)",
      "\u{FEFF} [\(event.replacing("{", with: "{\"cat\":\"\(long)\","))]",
    ] {
      let error = #expect(throws: SavedRunsError.self) { try SavedRuns(bytes: Array(text.utf8)) }
      #expect(
        error == SavedRunsError("it is a Chrome trace: use “trace import”", at: 0),
        "\(text.prefix(80))")
      #expect(try !ChromeImport(bytes: Array(text.utf8)).runs.isEmpty)
    }
    for text in [#"{"a":"traceEvents"}"#, #"["ph"]"#, #"{"a":{"traceEvents":[]}}"#, "[]", "{"] {
      let error = #expect(throws: SavedRunsError.self) { try SavedRuns(bytes: Array(text.utf8)) }
      #expect(error?.message.contains("Chrome") == false, "\(text)")
    }
  }

  @Test func aWrongFieldIsNamedWithItsLine() throws {
    var text = String(decoding: Self.small.bytes, as: UTF8.self)
    text = text.replacingOccurrences(of: #""makespan_ns":17000000"#, with: #""makespan_ns":"x""#)
    let lines = text.split(separator: "\n")
    let error = #expect(throws: SavedRunsError.self) { try SavedRuns(bytes: Array(text.utf8)) }
    #expect(error?.offset == lines[0].utf8.count + lines[1].utf8.count + 2)
    #expect(error?.message.contains("makespan_ns") == true)
  }

  @Test func filesAreWrittenAndAddedTo() throws {
    try withFolder { folder in
      let path = folder + "/runs"
      #expect(throws: SavedRunsError.self) { try SavedRuns.read(path) }
      try SavedRuns.append(Self.run("a", AnalysisTests.serial), to: path)
      try SavedRuns.append(Self.run("b", AnalysisTests.serial), to: path)
      #expect(try SavedRuns.read(path).runs.map(\.name) == ["a", "b"])
      #expect(try SavedRuns.read(path).machine == .current)
      // A writer that died in the middle of a line.
      let whole = try Data(contentsOf: URL(filePath: path))
      try whole.dropLast(100).write(to: URL(filePath: path))
      #expect(try SavedRuns.read(path).interrupted == ["b"])
      try SavedRuns.append(Self.run("c", AnalysisTests.serial), to: path)
      #expect(try SavedRuns.read(path).runs.map(\.name) == ["a", "c"])
      try Self.small.write(to: path)
      #expect(try SavedRuns.read(path).machine == Self.machine)
    }
  }

  /// As editors leave it, which end the last line or do not, or put blank ones behind it.
  @Test(arguments: ["", "\n", "\r\n", "\n\n", " \n\t\n "]) func aWholeLastLineIsKept(end: String)
    throws
  {
    try withFolder { folder in
      let path = folder + "/runs"
      for kept in [[], ["a"], ["a", "b"]] {
        let before = SavedRuns(runs: kept.map { Self.run($0, AnalysisTests.serial) })
        try Data(before.bytes.dropLast() + Array(end.utf8)).write(to: URL(filePath: path))
        for name in ["c", "d"] {
          try SavedRuns.append(Self.run(name, AnalysisTests.serial), to: path)
        }
        let read = try SavedRuns.read(path)
        #expect(read.runs.map(\.name) == kept + ["c", "d"] && !read.isTruncated)
      }
    }
  }

  /// As a device is, which is not to be replaced by a file.
  @Test func aPipeIsWrittenToAndStays() throws {
    try withFolder { folder in
      let path = folder + "/pipe"
      try #require(mkfifo(path, 0o600) == 0)
      let reader = open(path, O_RDONLY | O_NONBLOCK)
      defer { close(reader) }
      try SavedRuns().write(to: path)
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = read(reader, &bytes, bytes.count)
      #expect(count > 0 && bytes[..<max(count, 0)].elementsEqual(SavedRuns().bytes))
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    }
  }

  @Test func whoMayReadAFileStaysAsItIs() throws {
    try withFolder { folder in
      let path = folder + "/runs"
      try Self.small.write(to: path)
      for mode in [mode_t(0o600), 0o640, 0o666] {
        // Only root can give a file away, and write to one of somebody else.
        if geteuid() == 0 { try #require(chown(path, 65_534, 65_534) == 0) }
        try #require(chmod(path, mode) == 0)
        var before = stat()
        try #require(stat(path, &before) == 0)
        try SavedRuns().write(to: path)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o7777 == mode)
        #expect(status.st_uid == before.st_uid && status.st_gid == before.st_gid)
        #expect(status.st_ino != before.st_ino, "it is another file")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["runs"])
    }
  }

  /// From another folder, by way of a second link, and where the file is still to be made.
  @Test(arguments: [true, false]) func aLinkStaysAndItsFileIsWritten(isThere: Bool) throws {
    try withFolder { folder in
      for name in ["kept", "links"] { try #require(mkdir(folder + "/" + name, 0o700) == 0) }
      let path = folder + "/links/runs"
      try #require(symlink("second", path) == 0)
      try #require(symlink("../kept/file", folder + "/links/second") == 0)
      if isThere { try SavedRuns().write(to: folder + "/kept/file") }
      try Self.small.write(to: path)
      #expect(try SavedRuns.read(folder + "/kept/file").runs.count == 2)
      var status = stat()
      #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
      let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
      #expect(names.sorted() == ["kept", "kept/file", "links", "links/runs", "links/second"])
    }
  }

  @Test func aLinkIntoAMissingFolderNamesThatFolder() throws {
    try withFolder { folder in
      try #require(symlink(folder + "/none/runs", folder + "/link") == 0)
      let error = #expect(throws: SavedRunsError.self) {
        try Self.small.write(to: folder + "/link")
      }
      #expect(error?.path == folder + "/link")
      #expect(
        error?.message.contains("there is no folder “\(folder)/none”") == true,
        "\(String(describing: error))")
    }
  }

  @Test func linksThatLeadInACircleAreAnError() throws {
    try withFolder { folder in
      try #require(symlink("b", folder + "/a") == 0)
      try #require(symlink("a", folder + "/b") == 0)
      let error = #expect(throws: SavedRunsError.self) { try Self.small.write(to: folder + "/a") }
      #expect(error?.message.contains("in a circle") == true, "\(String(describing: error))")
    }
  }

  @Test func nothingIsAddedToSomebodyElsesFile() throws {
    try withFolder { folder in
      for text in ["notes\n", "notes", "a\nb"] {
        let path = folder + "/notes"
        try Data(text.utf8).write(to: URL(filePath: path))
        #expect(throws: SavedRunsError.self) {
          try SavedRuns.append(Self.run("a", AnalysisTests.serial), to: path)
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
      }
    }
  }

  @Test(arguments: ["/dev/zero", "/", "/nowhere/at/all"])
  func whatIsNoFileIsRefused(path: String) {
    #expect(throws: SavedRunsError.self) { try SavedRuns.read(path) }
    #expect(throws: SavedRunsError.self) { try Self.small.write(to: "/nowhere/at/all") }
  }

  @Test func runsAreMatchedByName() {
    var first = Self.small
    first.runs.append(Self.run("a", AnalysisTests.nested))
    #expect(first.samples == [Sample("a", [.ms(30), .ms(40)]), Sample("b", [.ms(17)])])
    let second = SavedRuns(machine: Self.machine, runs: [Self.run("c", AnalysisTests.serial)])
    let matched = first.matched(with: second)
    // One that has another name and the same pattern.
    #expect(matched.map(\.name) == ["a → c", "b"])
    #expect(matched.map(\.first.count) == [2, 1])
    #expect(matched.map(\.second.count) == [1, 0])
  }

  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "/saved-runs-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }
}
