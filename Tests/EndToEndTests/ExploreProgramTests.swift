import Foundation
import TerminalTesting
import Testing

/// `playground explore -- ./program` and `playground replay` with unmodified programs.
@Suite struct ExploreProgramTests {
  private func explore(
    _ words: String..., options: [String] = ["--runs", "20"]
  ) async throws -> PlaygroundProcess.Outcome {
    let home = try PlaygroundHome()
    let program = try await ExploredProgram.path
    return try await home.run(["explore"] + options + ["--", program] + words)
  }

  @Test func `a program that always ends well passes, and hours take no time`() async throws {
    let outcome = try await explore("well")
    #expect(outcome.output.contains("the only schedule"), "\(outcome)")
    #expect(outcome.output.contains("no violation"))
    #expect(!outcome.output.contains("well"), "its own output is not shown")
    #expect(outcome.code == 0)
  }

  @Test func `a crash is a violation, with its cause and a command that replays it`() async throws {
    let outcome = try await explore("crash")
    #expect(outcome.output.contains("“does not crash” does not hold"), "\(outcome)")
    #expect(outcome.output.contains("fetched 2 times"))
    #expect(outcome.output.contains("continues on Cache"))
    #expect(outcome.output.contains("playground replay '4 workers' -- "))
    #expect(outcome.code == 1)
  }

  @Test func `an exit code other than 0 is a violation`() async throws {
    let outcome = try await explore("exit", options: ["--json", "--runs", "5"])
    let record = try #require(try outcome.records("explore").first, "\(outcome)")
    #expect(record.string("property") == "exits with 0")
    #expect(record.string("detail")?.hasPrefix("it exited with 3") == true)
    #expect(record.integer("schedules") == 5)
    #expect(record.string("replay") == "4 workers")
    #expect(record.bool("reproducible") == true)
    #expect(outcome.code == 1)
  }

  @Test func `a killed program leaves its schedules unknown`() async throws {
    let outcome = try await explore("killed", options: ["--json", "--runs", "20"])
    let record = try #require(try outcome.records("explore").first, "\(outcome)")
    #expect(record.string("ending") == "complete")
    #expect(record.integer("schedules") == 20)
    #expect(outcome.code == 1)
  }

  @Test func `a program that can never end is a violation that names its task`() async throws {
    let outcome = try await explore("lost", options: ["--runs", "200", "--seed", "1"])
    #expect(outcome.output.contains("“finishes” does not hold"), "\(outcome)")
    #expect(outcome.output.contains("“main” waits for a continuation in Gate.wait()"))
    #expect(outcome.output.contains("a passing schedule"))
    let line = try #require(
      outcome.output.split(separator: "\n").last { $0.hasPrefix("playground") })
    let schedule = try #require(line.split(separator: "'").dropFirst().first)
    let home = try PlaygroundHome()
    let program = try await ExploredProgram.path
    let replayed = try await home.run(["replay", String(schedule), "--", program, "lost"])
    #expect(replayed.output.contains("“finishes” does not hold"), "\(replayed)")
    #expect(replayed.output.contains("opener"))
    #expect(replayed.code == 1)
  }

  @Test func `a thread of the program may wait for a lock of the runtime`() async throws {
    let outcome = try await explore("thread", options: ["--runs", "3"])
    #expect(outcome.output.contains("no violation"), "\(outcome)")
    #expect(outcome.code == 0)
  }

  @Test func `a blocked thread is named, and ends the search`() async throws {
    let outcome = try await explore("block", options: ["--time-limit", "300ms"])
    #expect(outcome.output.contains("1 schedule,"), "\(outcome)")
    #expect(outcome.output.contains("“ends in time” does not hold"))
    #expect(outcome.output.contains("“static Program.main()” at Explored.swift:"))
    #expect(outcome.output.contains("blocked its thread"))
    #expect(outcome.code == 1)
  }

  @Test func `a task that reads from a pipe is blocked, and not busy`() async throws {
    let outcome = try await explore("read", options: ["--time-limit", "300ms"])
    #expect(outcome.output.contains("“reader”, in "), "\(outcome)")
    #expect(
      outcome.output.contains("blocked its thread in “Foundation.FileHandle.readData"), "\(outcome)"
    )
  }

  @Test(arguments: [true, false])
  func `a task that waits for the clock in a loop is named`(isOptimized: Bool) async throws {
    let path =
      try await isOptimized ? ExploredProgram.optimizedPath : ExploredProgram.path
    let outcome = try await PlaygroundHome().run(
      ["explore", "--time-limit", "300ms", "--", path, "spin"])
    #expect(outcome.output.contains("it had not ended: “stubborn”"), "\(outcome)")
    #expect(outcome.output.contains("Virtual time does not pass while a task runs"), "\(outcome)")
    #expect(!outcome.output.contains("_init"), "\(outcome)")
    #expect(outcome.code == 1)
  }

  @Test func `the search waits for a thread outside the runtime, and names it`() async throws {
    let outcome = try await explore("outside")
    #expect(outcome.output.contains("no violation"), "\(outcome)")
    #expect(
      outcome.output.contains(
        "A thread outside the simulation resumed a task in static Program.main() at Explored.swift:"
      ))
    #expect(outcome.code == 0)
  }

  @Test func `a debugger runs the program, and one that does not work is passed over`() async throws
  {
    let home = try PlaygroundHome()
    let program = try await ExploredProgram.path
    try home.write(
      """
      printf '#!/bin/sh\\nexit 127\\n' > lldb
      cat > gdb << 'END'
      #!/bin/sh
      echo "agent: $PLAYGROUND_AGENT"
      printf '%s\\n' "$@"
      END
      chmod +x lldb gdb
      """, to: "write.sh")
    // A separate process writes the files. If this process wrote them, a child that starts meanwhile would keep a file
    // open. The system starts no program whose file is open for writing.
    try await Shell.run("sh", "write.sh", in: home.workingFolder)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let outcome = try await home.run(
      ["replay", "4 workers", "--debug", "--", program, "lost"],
      environment: ["PATH": home.workingFolder + ":" + path])
    let lines = outcome.output.split(separator: "\n")
    // The first call asks for the version.
    #expect(lines.contains("agent: ") && lines.contains("run"), "\(outcome)")
    #expect(lines.contains { $0.hasPrefix("set environment PLAYGROUND_AGENT=/") })
    #expect(lines.contains { $0.hasPrefix("set environment LD_PRELOAD=/") })
    #expect(lines.suffix(3) == ["--args", program[...], "lost"], "\(outcome)")
    #expect(outcome.code == 0)
  }

  @Test func `a replay leaves the streams and the environment to the program`() async throws {
    let home = try PlaygroundHome()
    let program = try await ExploredProgram.path
    let outcome = try await home.run(
      ["replay", "4 workers", "--", program, "say"], input: "hello\n")
    #expect(outcome.output.hasPrefix("hello none\n"), "\(outcome)")
    #expect(outcome.output.contains("No problem was found."))
    #expect(outcome.code == 0)
    let kept = try await home.run(
      ["replay", "4 workers", "--", program, "say"], input: "hello\n",
      environment: ["LD_PRELOAD": "libm.so.6"])
    #expect(kept.output.hasPrefix("hello libm.so.6\n"), "\(kept)")
  }

  @Test func `Ctrl-C ends the search, and shows what it has found`() async throws {
    let home = try PlaygroundHome()
    let program = try await ExploredProgram.path
    let terminal = try home.prompt(["explore", "--runs", "100000", "--", program, "busy"])
    try await terminal.expect("; Ctrl-C cancels it")
    try await terminal.press(.controlC, expecting: "it exited with 3")
    #expect(try await terminal.waitForExit() == 130)
  }

  /// The terminal sends Ctrl-C to all processes in its foreground.
  @Test func `Ctrl-C is no violation`() async throws {
    let home = try PlaygroundHome()
    let program = try await ExploredProgram.path
    let terminal = try home.prompt(["explore", "--runs", "100000", "--", program, "yield"])
    try await terminal.expect("; Ctrl-C cancels it")
    try await terminal.press(.controlC, expecting: "no violation")
    try await terminal.expect("It was cancelled before all schedules were tried.")
    #expect(try await terminal.waitForExit() == 130)
  }

  @Test func `SIGTERM ends the search, shows what it has found and removes its folder`()
    async throws
  {
    let home = try PlaygroundHome()
    let program = try await ExploredProgram.path
    let temporary = try home.folder.folder("temporary")
    let terminal = try home.prompt(
      ["explore", "--runs", "100000", "--", program, "busy"], environment: ["TMPDIR": temporary])
    try await terminal.expect("; Ctrl-C cancels it")
    terminal.signal(SIGTERM)
    try await terminal.expect("it exited with 3")
    #expect(try await terminal.waitForExit() == 128 + SIGTERM)
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
  }

  static let wrong: [(words: [String], message: String)] = [
    ([], "“explore” needs a program"),
    (["--", "./nothing"], "there is no program “./nothing”"),
    (["--", "nothing"], "there is no program “nothing”"),
    (["--", "/bin/sh"], "“/bin/sh” is not a Swift program"),
    (["--", "."], "there is no program “.”"),
    (["--", "/"], "“/” is a folder, not a program"),
    (["--", "./script"], "“./script” is a script"),
    (["--", "./text"], "“./text” is not a program for Linux (ELF, 64 bits)"),
    (["--", "./data"], "“./data” is not a program: it is not executable"),
    (["--", "swift", "build"], "“swift build” is the package manager"),
  ]

  static let idle: [(command: [String], option: [String])] = [
    (["explore"], ["--clock", "live"]), (["explore"], ["--isolate"]),
    (["record", "--save", "a.runs"], ["--workers", "2"]),
    (["record", "--save", "a.runs"], ["--seed", "1"]),
    (["replay", "4 workers"], ["--runs", "2"]),
  ]

  @Test(arguments: idle)
  func `an option without an effect is refused`(_ row: (command: [String], option: [String]))
    async throws
  {
    let outcome = try await PlaygroundHome().run(row.command + row.option + ["--", "./program"])
    #expect(outcome.errors.contains("\(row.option[0]) would have no effect"), "\(outcome)")
    #expect(outcome.code == 2)
  }

  @Test(arguments: wrong)
  func `the error says why a program cannot be explored`(_ row: (words: [String], message: String))
    async throws
  {
    let home = try PlaygroundHome()
    try home.write("#!/bin/sh\n", to: "script")
    try home.write("text", to: "text")
    try home.write("data", to: "data")
    try await Shell.run("chmod", "+x", "script", "text", in: home.workingFolder)
    let outcome = try await home.run(["explore"] + row.words)
    #expect(outcome.errors.contains(row.message), "\(outcome)")
    #expect(outcome.code == 2)
  }
}
