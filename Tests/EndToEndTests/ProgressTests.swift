import Foundation
import TerminalTesting
import Testing

/// The line that shows long work while it is in progress.
@Suite struct ProgressTests {
  /// The line on the screen that shows progress, if there is one.
  private static func progress(_ lines: [String]) -> String? {
    lines.last { $0.hasPrefix("  ") && $0.hasSuffix("; Ctrl-C cancels it") }
  }

  /// The start of a plugin, with a function that blocks its thread until the test writes to the gate.
  private static let gateSource = """
    import AsyncPatterns
    import Foundation

    // Foundation reads only regular files.
    func awaitGate() {
      let file = fopen("gate", "r")
      _ = fgetc(file)
      fclose(file)
    }
    """

  @Test func `a long run shows what runs and how much is done, until it ends`() async throws {
    let home = try PlaygroundHome()
    let gate = try NamedPipe(home.workingFolder + "/gate")
    let terminal = try await PromptTests.open(home)
    terminal.type("load SerialQueue; serial { a: value 1; b: sh \"head -n 1 gate\"; c: value 2 }\n")
    // Loading the plugin may take long, too.
    let shown = try await terminal.expectScreen("the progress") {
      Self.progress($0)?.hasPrefix("  serial { a: value 1; b: sh \"hea…: ") == true
    }
    let line = Self.progress(shown) ?? ""
    #expect(line.contains("b in progress, 1 of 3 steps done, "), "\(line)")
    gate.write("open")
    let ended = try await terminal.expectScreen("the end") { lines in
      lines.last == ">" && lines.contains { $0.contains("· success ·") }
    }
    #expect(Self.progress(ended) == nil, "\(ended)")
  }

  @Test func `a label cannot control the terminal, and a wide one is shortened`() async throws {
    let home = try PlaygroundHome()
    let gate = try NamedPipe(home.workingFolder + "/gate")
    let terminal = try await PromptTests.open(home)
    let label = "\\u{1b}[2J" + String(repeating: "描", count: 60)
    terminal.type("load SerialQueue; serial { \"\(label)\": sh \"head -n 1 gate\" }\n")
    let shown = try await terminal.expectScreen("the progress") { lines in
      lines.last?.contains("in progress") == true || lines.last?.contains("…") == true
    }
    #expect(shown.contains { $0.contains("> load SerialQueue") }, "nothing was erased: \(shown)")
    #expect(!terminal.raw.contains("\u{1B}[2J"))
    gate.write("open")
    try await terminal.expect("success · makespan")
  }

  @Test func `what a plugin prints stays whole beside the line`() async throws {
    let home = try PlaygroundHome()
    let gate = try NamedPipe(home.workingFolder + "/gate")
    try home.write(
      """
      \(Self.gateSource)

      // step
      func talks() async throws {
        print("one", terminator: "")
        fflush(nil)
        awaitGate()
        print(" line")
        print("two")
        fflush(nil)
        awaitGate()
      }
      """, to: "Talking.swift")
    let terminal = try await PromptTests.open(home)
    try await terminal.type("load ./Talking.swift\n", expecting: "loaded ")
    try await terminal.expect("\n> ")
    terminal.type("talks\n")
    try await terminal.expectScreen("the progress below half a line") { lines in
      Self.progress(lines) != nil && lines.contains("one")
    }
    gate.write("on")
    try await terminal.expectScreen("the progress below the next lines") { lines in
      guard let two = lines.firstIndex(of: "two") else { return false }
      return lines[two - 1] == "one line" && Self.progress(lines) == lines.last
    }
    gate.write("on")
    let ended = try await terminal.expectScreen("the end") { lines in
      lines.last == ">" && lines.contains { $0.contains("· success ·") }
    }
    #expect(Self.progress(ended) == nil, "\(ended)")
  }

  @Test func `a run that takes long to cancel says that it is being cancelled`() async throws {
    let home = try PlaygroundHome()
    let gate = try NamedPipe(home.workingFolder + "/gate")
    try home.write(
      "\(Self.gateSource)\n\n// step\nfunc waits() async throws { awaitGate() }\n",
      to: "Waiting.swift")
    let terminal = try await PromptTests.open(home)
    try await terminal.type("load ./Waiting.swift; set clock virtual\n", expecting: "loaded ")
    try await terminal.expect("\n> ")
    terminal.type("waits\n")
    try await terminal.expectScreen("the progress") { Self.progress($0) != nil }
    terminal.press(.controlC)
    try await terminal.expectScreen("the cancellation") { lines in
      lines.contains { $0.hasSuffix("; cancelling") }
    }
    gate.write("on")
    try await terminal.expectScreen("the end") { lines in
      lines.last == ">" && !lines.contains { $0.hasSuffix("; cancelling") }
    }
  }

  @Test func `a long comparison and exploration say how far they are`() async throws {
    let terminal = try await PromptTests.open(PlaygroundHome())
    terminal.type(
      "load SerialQueue; compare [ a: sleep 100ms ] under serial, serial.chain runs 20\n")
    let comparing = try await terminal.expectScreen("the comparison") { lines in
      Self.progress(lines)?.contains("about ") == true
    }
    let line = Self.progress(comparing) ?? ""
    #expect(
      line.contains(try Regex("serial[^:]*: run \\d+ of 42, \\d+ %, about .* left;")), "\(line)")
    try await terminal.press(.controlC, expecting: "\n> ")
    terminal.type(
      "load OperationGraph; explore bounded(2) { 8 * sleep 1ms } runs exactly 1000000\n")
    let exploring = try await terminal.expectScreen("the exploration") { lines in
      Self.progress(lines)?.contains(" of 1000000 schedules, ") == true
    }
    #expect(Self.progress(exploring)?.contains(" per second, ") == true, "\(exploring)")
    try await terminal.press(.controlC, expecting: "\n> ")
  }

  @Test func `a compiling plugin shows itself`() async throws {
    let home = try PlaygroundHome()
    let gate = try NamedPipe(home.workingFolder + "/gate")
    // The pipe can be opened for reading when the test has opened it for writing.
    let compiler = try await home.writeProgram(
      "#!/bin/sh\n: < \"$(dirname \"$0\")/gate\"\nexec swiftc \"$@\"\n", to: "swiftc")
    try home.write(
      "import AsyncPatterns\nimport Foundation\n\n// step\nfunc waits() async throws {}\n",
      to: "Waiting.swift")
    let terminal = try await PromptTests.open(home, environment: ["SWIFTC": compiler])
    terminal.type("load ./Waiting.swift\n")
    let shown = try await terminal.expectScreen("the progress") { Self.progress($0) != nil }
    let line = Self.progress(shown) ?? ""
    #expect(line.contains("loading ./Waiting.swift: compiling and checking for "), "\(line)")
    #expect(!shown.contains { $0.contains("loaded ") }, "\(shown)")
    gate.write("on")
    try await terminal.expectScreen("the end") { lines in
      lines.contains { $0.contains("loaded ") } && Self.progress(lines) == nil
    }
  }

  @Test func `Swift that is compiled shows itself`() async throws {
    let home = try PlaygroundHome()
    let terminal = try await PromptTests.open(
      home, environment: ["XDG_CACHE_HOME": home.folder.path + "/cache"])
    terminal.type("swift func one() -> Int { 1 }\n")
    let shown = try await terminal.expectScreen("the progress, or the end") { lines in
      Self.progress(lines) != nil || lines.contains { $0.contains("declared ") }
    }
    if let line = Self.progress(shown) {
      #expect(line.contains("compiling Swift for "), "\(line)")
    }
    try await terminal.expectScreen("the end") { lines in
      lines.contains { $0.contains("declared ") } && Self.progress(lines) == nil
    }
  }

  @Test func `a pipe shows no progress`() async throws {
    let home = try PlaygroundHome()
    let started = try NamedPipe(home.workingFolder + "/started")
    let gate = try NamedPipe(home.workingFolder + "/gate")
    let child = try home.start(["eval", "sh \"echo here > started; : < gate\""])
    _ = try #require(await started.line())
    // This run ends only after a later run in a terminal has shown progress. So it runs long enough to show progress
    // there, too.
    let terminal = try await PromptTests.open(home)
    terminal.type("sh \": < gate\"\n")
    try await terminal.expectScreen("the progress") { Self.progress($0) != nil }
    gate.write("on")
    let outcome = try await child.outcome()
    #expect(outcome.code == 0, "\(outcome)")
    for text in [outcome.output, outcome.errors] {
      #expect(!text.contains("Ctrl-C") && !text.contains("\u{1B}"), "\(outcome)")
    }
  }
}
