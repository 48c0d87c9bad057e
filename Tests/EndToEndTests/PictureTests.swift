import Foundation
import TerminalTesting
import Testing

/// How the program shows and saves a value that is a PNG.
@Suite struct PictureTests {
  private static let red = "2;255;0;0m"
  private static let blue = "2;0;0;255m"
  private static let size = "PNG, 4 × 4 pixels, \(PictureFile.flag.data.count) bytes"

  /// A session with a picture that scripts can read.
  private func open(
    _ environment: [String: String]
  ) async throws -> (PlaygroundHome, PseudoTerminal) {
    let home = try PlaygroundHome()
    try home.write(.flag, to: "a.png")
    return (home, try await PromptTests.open(home, environment: environment))
  }

  @Test(arguments: [
    (
      ["TERM": "xterm", "COLORTERM": "truecolor", "NO_COLOR": ""],
      "\u{1B}[48;\(red)\u{1B}[38;\(red)▀▀▀▀\u{1B}[0m\r\n"
        + "\u{1B}[48;\(blue)\u{1B}[38;\(blue)▀▀▀\u{1B}[49m\u{1B}[0m\r\n"
    ),
    (
      ["TERM": "xterm-256color", "NO_COLOR": ""],
      "\u{1B}[48;5;196m\u{1B}[38;5;196m▀▀▀▀\u{1B}[0m\r\n"
        + "\u{1B}[48;5;21m\u{1B}[38;5;21m▀▀▀\u{1B}[49m\u{1B}[0m\r\n"
    ),
    (["TERM": "xterm-kitty", "NO_COLOR": "1"], "\r\n::::\r\n...\r\n"),
    (["TERM": "dumb", "NO_COLOR": ""], "\r\n::::\r\n...\r\n"),
    (
      ["TERM": "xterm-kitty", "NO_COLOR": ""],
      "\u{1B}_Ga=T,f=100,q=2,C=1,c=1,r=1,m=0;\(PictureFile.flag.data.base64EncodedString())\u{1B}\\\r\n"
    ),
  ])
  func `the terminal shows a picture`(
    _ environment: [String: String], _ drawn: String
  ) async throws {
    let (home, terminal) = try await open(environment)
    try await terminal.type(
      "read \"a.png\"\n", expecting: "  \(Self.size); “show 1 save FILE” saves it\n> ")
    #expect(terminal.raw.contains(drawn), "\(terminal.raw.debugDescription)")
    withExtendedLifetime(home) {}
  }

  /// The text of a script has no colours, whatever the output is. Its pictures have colours unless the user refuses
  /// them.
  @Test(arguments: [([], "▀▀▀▀\r\n"), (["--no-color"], "::::\r\n")], [false, true])
  func `a script in a terminal shows a picture`(
    _ options: (words: [String], drawn: String), isAfterSetting: Bool
  ) async throws {
    let home = try PlaygroundHome()
    try home.write(.flag, to: "a.png")
    let set = isAfterSetting ? "set color off; " : ""
    let terminal = try home.prompt(
      options.words + ["eval", set + "read \"a.png\""],
      environment: ["TERM": "xterm", "COLORTERM": "truecolor"])
    #expect(try await terminal.waitForExit() == 0)
    let drawn = isAfterSetting ? "::::\r\n" : options.drawn
    #expect(terminal.raw.replacing(/\u{1B}\[[0-9;]*m/, with: "").contains(drawn))
  }

  @Test func `a locale without the characters gets ASCII`() async throws {
    let (home, terminal) = try await open(["LANG": "C", "COLORTERM": "truecolor", "NO_COLOR": ""])
    try await terminal.type("read \"a.png\"\n", expecting: "::::\n...\n  PNG, 4 x 4 pixels")
    withExtendedLifetime(home) {}
  }

  @Test func `kitty gets a large picture in chunks, above the prompt`() async throws {
    let (home, terminal) = try await open(["TERM": "xterm-kitty", "NO_COLOR": ""])
    let picture = PictureFile(width: 100, height: 60) { x, y in [UInt8(x), UInt8(y), 7, 255] }
    try home.write(picture, to: "b.png")
    try await terminal.type("read \"b.png\"\n", expecting: "100 × 60 pixels, 24 kB")
    try await terminal.expect("> ")
    let payloads = terminal.raw.matches(of: /\u{1B}_G([^;]*);([^\u{1B}]*)\u{1B}\\/)
    #expect(payloads.count == 8)
    #expect(payloads.allSatisfy { $0.2.count <= 4096 })
    #expect(payloads.first?.1 == "a=T,f=100,q=2,C=1,c=10,r=3,m=1")
    #expect(payloads.dropFirst().map(\.1) == [Substring](repeating: "m=1", count: 6) + ["m=0"])
    #expect(Data(base64Encoded: payloads.map { String($0.2) }.joined()) == picture.data)
    #expect(terminal.raw.contains("\r\n\r\n\u{1B}[2A\u{1B}_G"))
    #expect(terminal.raw.contains("\u{1B}\\\u{1B}[2B\r\n"))
  }

  @Test func `a picture can be shown again in another style and saved`() async throws {
    let (home, terminal) = try await open([:])
    try await terminal.type("read \"a.png\"; value 7\n", expecting: "value 7 · success")
    try await terminal.expect("→ 7\n> ")
    let line = try await terminal.type("set pictures off; show 1\n", expecting: "saves it\n> ")
    #expect(line.contains(" an event\n  \(Self.size);") && !line.contains("::::"))
    try await terminal.type(
      "set pictures blocks; show 1\n", expecting: "▀▀▀▀\n▀▀▀\n  \(Self.size);")
    try await terminal.expect("> ")
    try await terminal.type(
      "show 1 save kept.png\n", expecting: "saved the picture to kept.png\n> ")
    #expect(home.contents("kept.png") == PictureFile.flag.data)
    try await terminal.type(
      "show save other.png\n", expecting: "error: “value 7” yielded a whole number, not a picture\n"
    )
    #expect(home.contents("other.png") == nil)
    terminal.type("show 1 save \"no/such/folder.png\"\n")
    try await terminal.expect(
      "there is no folder “no/such”; create it, or name a\n  file elsewhere\n> ")
    terminal.type("show 9 save x.png\n")
    try await terminal.expect("error: there is no run 9\n")
    terminal.type("set pictures sixel\n")
    try await terminal.expect(
      "“pictures” takes auto, kitty, blocks, colors, ascii or off\n")
  }

  @Test func `a background run's picture appears above the typed line`() async throws {
    let (home, terminal) = try await open([:])
    let gate = try NamedPipe(home.workingFolder + "/gate")
    try await terminal.type("sh \"read x < gate; cat a.png\" &\n", expecting: "[1] sh")
    try await terminal.expect("\n> ")
    terminal.type("expect valu")
    try await terminal.expectScreen("the line") { $0.last == "> expect valu" }
    gate.write("through")
    try await terminal.expectScreen("the picture above the line") {
      $0.suffix(4)
        == ["::::", "...", "  \(Self.size); “show 1 save FILE” saves it", "> expect valu"]
    }
    try await terminal.type("e == 1\n", expecting: "data, \(PictureFile.flag.data.count) bytes")
  }

  @Test func `several pictures are each shown, up to a limit`() async throws {
    let (home, terminal) = try await open([:])
    try await terminal.type(
      "load Promises; all { 8 * read \"a.png\" }\n",
      expecting: "::::\n...\n  1: \(Self.size)\n::::\n...\n  2: \(Self.size)\n")
    try await terminal.expect(
      "  6: \(Self.size)\n  … and 2 more; “show 1 save FILE” saves them\n> ")
    try await terminal.type("show save out.d/../p.png\n", expecting: "error: ")
    terminal.type("show save p.png\n")
    try await terminal.expect(
      "saved 8 pictures to p-1.png, p-2.png, p-3.png, p-4.png, p-5.png and 3 more\n")
    #expect(home.contents("p-8.png") == PictureFile.flag.data)
  }

  @Test func `a pipe gets a line about the picture`() async throws {
    let home = try PlaygroundHome()
    try home.write(.flag, to: "a.png")
    let terminal = ["TERM": "xterm-kitty", "COLORTERM": "truecolor"]
    let outcome = try await home.eval("read \"a.png\"", environment: terminal)
    #expect(outcome.code == 0)
    #expect(outcome.output.hasSuffix("\n  \(Self.size); “show 1 save FILE” saves it\n"))
    #expect(!outcome.output.contains("\u{1B}"))

    let asked = try await home.eval(
      "read \"a.png\"", "--set", "pictures=ascii", environment: terminal)
    #expect(asked.output.contains("\n::::\n...\n  \(Self.size);"))
  }

  @Test func `JSON records contain the bytes of a picture`() async throws {
    let home = try PlaygroundHome()
    try home.write(.flag, to: "a.png")
    let outcome = try await home.eval(
      "read \"a.png\"; show save b.png", "--json", "--set", "pictures=blocks")
    let runs = try outcome.records("run")
    #expect(runs.first?.string("value") == PictureFile.flag.data.base64EncodedString())
    #expect(try outcome.records().count == 1)
    #expect(outcome.errors.contains("  \(Self.size); “show 1 save FILE” saves it\n"))
    #expect(!outcome.errors.contains("▀"))
    #expect(home.contents("b.png") == PictureFile.flag.data)
  }

  @Test func `a damaged one is reported`() async throws {
    let home = try PlaygroundHome()
    let data = PictureFile.flag.data
    try data.dropLast(20).write(to: URL(filePath: home.workingFolder + "/a.png"))
    try (data.prefix(8) + Data(count: 50)).write(to: URL(filePath: home.workingFolder + "/b.png"))
    let outcome = try await home.eval(
      "read \"a.png\"; read \"b.png\"; expect value == \"x\"", "--set", "pictures=ascii")
    #expect(
      outcome.output.contains(
        "  PNG, \(data.count - 20) bytes, cannot be shown: it ends too early; “show 1 save"))
    #expect(
      outcome.output.contains(
        "  PNG, 58 bytes, cannot be shown: its header is damaged; “show 2 save"))
    #expect(outcome.code == 1)
  }

  @Test func `data is not printed as text`() async throws {
    let home = try PlaygroundHome()
    try home.write(.flag, to: "a.png")
    let size = "data, \(PictureFile.flag.data.count) bytes"
    let outcome = try await home.eval(
      "load SerialQueue; serial { read \"a.png\"; print }; expect value == \"x\"")
    #expect(outcome.output.contains("\n\(size)\n") || outcome.output.hasPrefix("\(size)\n"))
    #expect((outcome.output + outcome.errors).contains("it is \(size)"))
  }
}
