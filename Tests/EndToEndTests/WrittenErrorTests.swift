import Foundation
import Testing

/// A mistake in a script is found before any of the script runs.
@Suite struct WrittenErrorTests {
  struct Mistake: Sendable {
    let script: String
    /// The line and the column.
    let place: String
    let message: String
    /// The line and the caret, then further help.
    var help: [String] = []
  }

  static let mistakes: [Mistake] = [
    Mistake(
      script: "print \"ran\"\nload SerialQueue\n\tserail { value 1 }", place: "3:2",
      message: "there is no pattern, step or name “serail”",
      help: ["  \tserail { value 1 }\n  \t^~~~~~\n", "did you mean “serial”?"]),
    Mistake(
      script: "print \"ran\"; sleeep 1ms", place: "1:14",
      message: "there is no pattern, step or name “sleeep”", help: ["did you mean “sleep”?"]),
    Mistake(
      script: "print \"ran\"; sleep \"x\"", place: "1:20", message: "“sleep” takes a duration"),
    Mistake(script: "print \"ran\"\nsleep", place: "2:1", message: "“sleep” needs"),
    Mistake(
      script: "print \"ran\"\nload SerialQueue\nserial { a: value 1; b: value 2 after c }",
      place: "3:39", message: "“after c” names no step of this list"),
    Mistake(
      script: "print \"ran\"\nload SerialQueue\nserial { a: value 1 after b; b: value 2 }",
      place: "3", message: "after"),
    Mistake(
      script: "print \"ran\"\nload SerialQueue\nserial { a: value 1; a: value 2 }", place: "3:22",
      message: "there are two steps called “a” here"),
    Mistake(
      script: "print \"ran\"; load SerailQueue", place: "1:19",
      message: "There is no plugin “SerailQueue”", help: ["did you mean SerialQueue?"]),
    Mistake(
      script: "print \"ran\"; sleep = [ a: value 1 ]", place: "1:14",
      message: "“sleep” is already a pattern or a step"),
    Mistake(
      script: "print \"ran\"\nset sed 4", place: "2:5", message: "there is no setting “sed”",
      help: ["did you mean “seed”?"]),
    Mistake(
      script: "print \"ran\"\nset clock fast", place: "2:11",
      message: "“clock” takes live or virtual"),
    Mistake(
      script: "print \"ran\"; expect count prnt == 1", place: "1:27",
      message: "the run before this has no step “prnt”", help: ["did you mean “print”?"]),
    Mistake(script: "expect value == 1", place: "1:1", message: "nothing is run before"),
    Mistake(
      script: "print \"ran\"\nvalue \"open", place: "2:7", message: "this string is not closed"),
    Mistake(
      script: "print \"ran\"\nload SerialQueue\nserial { value 1", place: "3:8",
      message: "this “{” is never closed"),
    Mistake(
      script: "print \"ran\"; help nothing-of-that-name", place: "1:19",
      message: "there is no help on"),
    Mistake(
      script: "print \"ran\"; source other.play", place: "1:21",
      message: "there is no file “other.play”"),
    Mistake(
      script: "set clock virtual; print \"ran\"; sh \"true\"", place: "1:33",
      message: "“sh” runs on the live clock only", help: ["set clock live"]),
    Mistake(
      script: "set clock virtual; print \"ran\"; read \"a\"", place: "1:33", message: "“read” runs"),
    Mistake(
      script: "set clock virtual; print \"ran\"; write \"a\"", place: "1:33",
      message: "“write” runs"),
  ]

  @Test(arguments: mistakes)
  func `a script with a mistake does not run`(_ mistake: Mistake) async throws {
    let home = try PlaygroundHome()
    try home.write(mistake.script, to: "x.play")
    let outcome = try await home.run(["run", "x.play"])
    #expect(outcome.code == 2)
    #expect(outcome.output == "", "nothing of it ran")
    #expect(
      outcome.errors.hasPrefix("x.play:\(mistake.place)") && outcome.errors.contains("error: "))
    for text in [mistake.message] + mistake.help {
      #expect(outcome.errors.contains(text), "\(mistake.script)\n\(outcome.errors)")
    }
  }

  @Test func `every mistake of a script is reported together`() async throws {
    let outcome = try await PlaygroundHome().eval("one\nprint \"ran\"\ntwo\nthree = four", "--json")
    #expect(try outcome.records("error").map { $0.integer("line") } == [1, 3, 4])
    #expect(try outcome.records().count == 3)
  }

  // MARK: - Unusual files

  struct Strange: Sendable, CustomTestStringConvertible {
    let name: String
    /// Created only when they are needed, since the test report describes every argument.
    let bytes: @Sendable () -> [UInt8]
    let message: String

    init(name: String, bytes: @autoclosure @escaping @Sendable () -> [UInt8], message: String) {
      (self.name, self.bytes, self.message) = (name, bytes, message)
    }

    var testDescription: String { name }
  }

  static let strange: [Strange] = [
    Strange(
      name: "a thousand braces",
      bytes: Array(
        ("load SerialQueue\n" + String(repeating: "serial { ", count: 1000) + "value 1"
          + String(repeating: " }", count: 1000)).utf8),
      message: "nested more than 200 deep"),
    Strange(
      name: "a thousand open brackets", bytes: Array(repeating: UInt8(ascii: "["), count: 1000),
      message: "nested more than 200 deep"),
    Strange(
      name: "10 MB in a line", bytes: Array(repeating: UInt8(ascii: "x"), count: 10_000_000),
      message: "longer than 1048576 bytes"),
    Strange(
      name: "10 MB in a string",
      bytes: Array("print \"".utf8) + Array(repeating: UInt8(ascii: "x"), count: 10_000_000)
        + Array("\"".utf8),
      message: "longer than 1048576 bytes"),
    Strange(
      name: "not UTF-8", bytes: Array("print \"a\"\nprint \"".utf8) + [0xFF, 0x22],
      message: "x.play:2:8: error: the byte at offset 17 is not UTF-8"),
    Strange(name: "a NUL", bytes: Array("print \"a\"\n".utf8) + [0], message: "x.play:2:1: error:"),
    Strange(name: "itself", bytes: Array("source x.play".utf8), message: "would run itself"),
    Strange(
      name: "a million and one steps",
      bytes: Array("load SerialQueue\nserial { 1000001 * value 1 }".utf8),
      message: "at most 1 000 000 steps"),
  ]

  @Test(arguments: strange)
  func `a file that is not a script is an error`(_ strange: Strange) async throws {
    let home = try PlaygroundHome()
    let file = try home.write("", to: "x.play")
    try Data(strange.bytes()).write(to: URL(filePath: file))
    let outcome = try await home.run(["run", "x.play"])
    #expect(outcome.code == 2, "\(strange.name)")
    #expect(outcome.output == "")
    #expect(outcome.errors.contains(strange.message), "\(strange.name): \(outcome.errors)")
    #expect(outcome.errors.utf8.count < 2000, "an excerpt, not ten megabytes")
  }

  @Test func `files that source each other are an error`() async throws {
    let home = try PlaygroundHome()
    try home.write("source b.play", to: "a.play")
    try home.write("print \"ran\"\nsource a.play", to: "b.play")
    let outcome = try await home.run(["run", "a.play"])
    #expect(outcome.code == 2)
    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix("b.play:2:8: error: “a.play” would run itself"), "\(outcome)")

    // The file is also recognised by another of its paths.
    try home.write("print \"ran\"\nsource ../work/c.play", to: "c.play")
    let renamed = try await home.run(["run", "c.play"])
    #expect(renamed.code == 2)
    #expect(renamed.errors.hasPrefix("c.play:2:8: error: “../work/c.play” would run itself"))
  }

  @Test func `a file that cannot be read is an error`() async throws {
    let home = try PlaygroundHome()
    let missing = try await home.run(["run", "none.play"])
    #expect(missing.code == 2)
    #expect(missing.errors == "error: there is no file “none.play”\n")
    let folder = try await home.run(["run", home.workingFolder])
    #expect(folder.code == 2)
    #expect(folder.errors.contains("is a folder, not a script"))
    // Root may read every file.
    guard geteuid() != 0 else { return }
    let closed = try home.write("value 1", to: "closed.play")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: closed)
    let refused = try await home.run(["run", closed])
    #expect(refused.code == 2)
    #expect(refused.errors.contains("cannot be read"))
  }

  static let fine: [(name: String, text: String)] = [
    ("empty", ""),
    ("blank", "\n\n  \n"),
    ("a comment", "# nothing"),
    ("CR LF", "#!/usr/bin/env playground\r\nload SerialQueue\r\nserial {\r\n  value 3\r\n}\r\n"),
    ("an interpreter line", "#!/usr/bin/env playground\nvalue 3"),
  ]

  @Test(arguments: fine)
  func `an unusual script file is accepted`(name: String, text: String) async throws {
    let home = try PlaygroundHome()
    try home.write(text, to: "x.play")
    let outcome = try await home.run(["run", "x.play", "--json", "--clock", "virtual"])
    #expect(outcome.code == 0, "\(name): \(outcome)")
    let values = try outcome.records("run").map { $0.integer("value") }
    #expect(values == (text.contains("value 3") ? [3] : []))
  }
}
