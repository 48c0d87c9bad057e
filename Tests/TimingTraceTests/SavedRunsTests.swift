import Foundation
import PatternTesting
import Testing

@testable import TraceAnalysis
@testable import TraceDrawing
@testable import TraceFormats
@testable import TraceModel

@Suite struct SavedRunsTests {
  static let machine = Machine(cores: 2, os: "Linux", compiler: "6.3", buildConfiguration: "debug")

  static func run(_ name: String, _ script: EventScript) -> SavedRun {
    SavedRun(
      name: name, source: "serial { … }\n\"quoted\"", composition: "serial { a; b }",
      record: script.record(name: name), events: script.events)
  }

  static let small = SavedRuns(
    machine: machine, runs: [run("a", AnalysisTests.serial), run("b", ChromeTraceTests.script)])

  @Test func `written runs are read back`() throws {
    let read = try SavedRuns(bytes: Self.small.bytes)
    #expect(read.machine == Self.machine)
    #expect(read.runs.map(\.name) == ["a", "b"])
    for (one, other) in zip(read.runs, Self.small.runs) {
      #expect(one.record == other.record)
      #expect(one.record.json == other.record.json)
      #expect(one.source == other.source)
      #expect(one.composition == other.composition)
      #expect(one.events.map { "\($0)" } == other.events.map { "\($0)" })
      // The events can be analysed again.
      let again = RunRecord(
        events: one.events, name: one.name, clock: .virtual, outcome: .success)
      #expect(again == one.record)
    }
  }

  @Test func `every seed is read back`() throws {
    var runs = Self.small
    for seed in [0, UInt64(Int64.max), UInt64(Int64.max) + 1, .max] {
      runs.runs[0].record.seed = seed
      #expect(try SavedRuns(bytes: runs.bytes).runs[0].record.seed == seed)
    }
  }

  @Test func `script and workers can be missing`() throws {
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

  @Test func `garbage is an error and never a crash`() {
    let bytes = Self.small.bytes
    var generator = SplitMix(seed: 1)
    for _ in 0..<600 * SearchLength.factor {
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
      // A file that is accepted must be safe to use.
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
      ("", "it is empty"), ("{}\n", "does not name the format"), ("hello", "a value was expected"),
      (
        #"{"format":"asynchronous-pattern-runs","version":9,"machine":{}}"#,
        "it has version 9 of the format, and this program reads version 1"
      ),
      (#"{"format":"asynchronous-pattern-runs""#, "was expected"),
      (#"{"a":"# + String(repeating: "[", count: 100_000), "nests too deeply"),
      (ChromeTrace.json([small.runs[0]]), "“trace import” reads traces in Chrome's format"),
    ])
  func `another file is an error that says what to do`(text: String, message: String) {
    let error = #expect(throws: SavedRunsError.self) { try SavedRuns(bytes: Array(text.utf8)) }
    #expect(error?.message.hasPrefix("this is not a file of runs: ") == true)
    #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    #expect(error?.message.contains("“--save FILE” or “trace save FILE” writes one") == true)
  }

  @Test func `a file is replaced`() throws {
    try withFolder { folder in
      let path = folder + "/runs"
      #expect(throws: SavedRunsError.self) { try SavedRuns.read(path) }
      try SavedRuns(runs: [Self.run("a", AnalysisTests.serial)]).write(to: path)
      #expect(try SavedRuns.read(path).runs.map(\.name) == ["a"])
      #expect(try SavedRuns.read(path).machine == .current)
      try Self.small.write(to: path)
      #expect(try SavedRuns.read(path).machine == Self.machine)
      #expect(try SavedRuns.contents(of: path) == Self.small.bytes)
    }
  }

  /// Like a pipe, a device must not be replaced by a file.
  @Test func `a pipe gets the runs and is not replaced`() throws {
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

  @Test func `the permissions of a file are preserved`() throws {
    try withFolder { folder in
      let path = folder + "/runs"
      try Self.small.write(to: path)
      for mode in [mode_t(0o600), 0o640, 0o666] {
        // Only root can give a file to another user, and write to another user's file.
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

  /// Covers a link in another folder, a link to a link, and a file that does not exist yet.
  @Test(arguments: [true, false])
  func `a link stays, and its target is written`(isThere: Bool) throws {
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

  @Test func `the error of a link into a missing folder names that folder`() throws {
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

  @Test func `links that form a cycle are an error`() throws {
    try withFolder { folder in
      try #require(symlink("b", folder + "/a") == 0)
      try #require(symlink("a", folder + "/b") == 0)
      let error = #expect(throws: SavedRunsError.self) { try Self.small.write(to: folder + "/a") }
      #expect(error?.message.contains("form a cycle") == true, "\(String(describing: error))")
    }
  }

  @Test(arguments: ["/dev/zero", "/", "/nowhere/at/all"])
  func `a path that is not a file is rejected`(path: String) {
    #expect(throws: SavedRunsError.self) { try SavedRuns.read(path) }
    #expect(throws: SavedRunsError.self) { try Self.small.write(to: "/nowhere/at/all") }
  }

  @Test func `runs are matched by name`() {
    var first = Self.small
    first.runs.append(Self.run("a", AnalysisTests.nested))
    #expect(first.samples == [Sample("a", [.ms(30), .ms(40)]), Sample("b", [.ms(17)])])
    let second = SavedRuns(machine: Self.machine, runs: [Self.run("c", AnalysisTests.serial)])
    let matched = first.matched(with: second)
    // A run with another name and the same pattern.
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
