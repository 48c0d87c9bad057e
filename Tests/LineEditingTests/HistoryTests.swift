import Foundation
import Testing

@testable import LineEditing

@Suite struct HistoryCodingTests {
  @Test(arguments: [
    ("serial job", "serial job"),
    ("a {\n  b\n}", #"a {\n  b\n}"#),
    (#"print "a\nb""#, #"print "a\\nb""#),
    (#"\"#, #"\\"#),
    ("\r\n", #"\r\n"#),
    ("é 💡", "é 💡"),
    ("", ""),
  ])
  func `an entry becomes one line and back`(entry: String, line: String) {
    #expect(HistoryCoding.encode(entry) == line)
    #expect(HistoryCoding.decode(line) == entry)
  }

  @Test(arguments: [(#"a\tb"#, #"a\tb"#), (#"end\"#, #"end\"#)])
  func `a line that no session wrote stays as it is`(line: String, entry: String) {
    #expect(HistoryCoding.decode(line) == entry)
  }
}

@Suite struct HistoryFileTests {
  @Test(arguments: [
    (["XDG_STATE_HOME": "/s", "HOME": "/h"], "/s/async-playground/history"),
    (["XDG_STATE_HOME": "relative", "HOME": "/h"], "/h/.local/state/async-playground/history"),
    (["HOME": "/h"], "/h/.local/state/async-playground/history"),
    (["HOME": ""], nil),
    ([:], nil),
  ])
  func `the environment determines the path`(environment: [String: String], path: String?) {
    #expect(HistoryFile.defaultPath(environment: environment) == path)
  }

  @Test func `the file is created with its folders, for its owner alone`() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/new/async-playground/history"
      var file = HistoryFile(path: path, limit: 10)
      #expect(try file.load() == [])
      try file.append("a {\n}")
      #expect(try String(contentsOfFile: path, encoding: .utf8) == #"a {\n}"# + "\n")
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      var again = HistoryFile(path: path, limit: 10)
      #expect(try again.load() == ["a {\n}"])
    }
  }

  @Test func `the newest entries are kept`() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/history"
      try (1...12).map { "\($0)\n" }.joined().write(toFile: path, atomically: true, encoding: .utf8)
      var file = HistoryFile(path: path, limit: 10)
      #expect(try file.load() == (3...12).map { "\($0)" })
      try file.append("13")
      var again = HistoryFile(path: path, limit: 100)
      #expect(try again.load() == (4...13).map { "\($0)" })
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["history"])
    }
  }

  @Test func `sessions keep each other's entries`() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/history"
      let perSession = 200
      await withTaskGroup { group in
        for session in 0..<4 {
          group.addTask {
            // All sessions together stay below the limit, so no entry is removed.
            var file = HistoryFile(path: path, limit: 1000)
            for number in 0..<perSession { try? file.append("\(session)-\(number)") }
            var cutting = HistoryFile(path: path, limit: 1000)
            _ = try? cutting.load()
          }
        }
      }
      var file = HistoryFile(path: path, limit: 10_000)
      let entries = try file.load()
      #expect(entries.count == 4 * perSession)
      for session in 0..<4 {
        let own = entries.filter { $0.hasPrefix("\(session)-") }
        #expect(own == (0..<perSession).map { "\(session)-\($0)" })
      }
    }
  }

  @Test func `shortening the file keeps entries that are added meanwhile`() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/history"
      // Every append of one task shortens the file. The other task must find the file that replaced it.
      await withTaskGroup { group in
        for (name, limit) in [("cutting", 50), ("adding", 1_000_000)] {
          group.addTask {
            var file = HistoryFile(path: path, limit: limit)
            for number in 0..<300 { try? file.append("\(name)-\(number)") }
          }
        }
      }
      var file = HistoryFile(path: path, limit: 10_000)
      let entries = try file.load()
      #expect(entries.last?.hasSuffix("-299") == true)
      for name in ["cutting", "adding"] {
        let own = entries.filter { $0.hasPrefix(name) }
        // The remaining entries of each task are its newest ones, without a gap.
        #expect(own == (300 - own.count..<300).map { "\(name)-\($0)" })
      }
    }
  }

  @Test func `an unfinished last line stays separate`() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/history"
      try "one\ntw".write(toFile: path, atomically: true, encoding: .utf8)
      var file = HistoryFile(path: path, limit: 10)
      #expect(try file.load() == ["one", "tw"])
      try file.append("three")
      #expect(try file.load() == ["one", "tw", "three"])
    }
  }

  @Test func `a device is left alone`() throws {
    var nowhere = HistoryFile(path: "/dev/null", limit: 10)
    #expect(try nowhere.load() == [])
    try nowhere.append("gone")
    #expect(try nowhere.load() == [])
  }

  @Test func `the error says why the history cannot be saved`() {
    var file = HistoryFile(path: "/proc/no/such/history", limit: 10)
    let error = #expect(throws: HistoryFileError.self) { try file.load() }
    #expect(error?.description.hasPrefix("/proc/no: ") == true)
  }
}
