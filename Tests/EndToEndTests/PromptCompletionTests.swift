import TerminalTesting
import Testing

/// The completions of the Tab key.
@Suite struct PromptCompletionTests {
  static let completions: [(typed: String, line: String)] = [
    ("compa", "compare "),
    ("serial.ch", "serial.chain "),
    ("slee", "sleep "),
    ("serial jo", "serial job "),
    ("compare jo", "compare job "),
    ("compare job under serial.s", "compare job under serial.semaphore "),
    ("serial { a: sle", "serial { a: sleep "),
    (
      "serial { fetch: sleep 1ms; store: value 1 after fe",
      "serial { fetch: sleep 1ms; store: value 1 after fetch"
    ),
    ("retry-like(wi", "retry-like(width: "),
    ("retry-like(mode: gen", "retry-like(mode: gentle"),
    ("serial { a: value 1 with o", "serial { a: value 1 with on: "),
    ("load Prom", "load Promises "),
    ("load prom", "load Promises "),
    ("sh \"cat fold", "sh \"cat folder/"),
    ("sh \"wc -l <scri", "sh \"wc -l <script.play "),
    ("trace show --la", "trace show --lanes "),
    ("trace export --f", "trace export --format "),
    ("?serial.c", "?serial.chain "),
    ("!cat scri", "!cat script.play "),
    ("less", "lesson"),
    ("unload Seri", "unload SerialQueue "),
    ("source scri", "source script.play "),
    ("load ./Att", "load ./Attempts.swift "),
    ("read \"fold", "read \"folder/"),
    ("help serial.c", "help serial.chain "),
    ("help slac", "help slack "),
    ("help critic", "help critical path "),
    ("help critical pa", "help critical path "),
    ("set clo", "set clock "),
    ("set clock vi", "set clock virtual "),
    ("set pict", "set pictures "),
    ("set pictures blo", "set pictures blocks "),
    ("show sa", "show save "),
    ("show 1 sa", "show 1 save "),
    ("show 1 save fold", "show 1 save folder/"),
    ("expect make", "expect makespan "),
    ("expect outcome == fai", "expect outcome == failure "),
    ("expect order fet", "expect order fetch "),
  ]

  /// One session for all completions: Ctrl-C discards each line.
  @Test func `Tab completes`() async throws {
    let home = try PlaygroundHome()
    try home.write(PluginSources.attempts, to: "Attempts.swift")
    try home.write("", to: "script.play")
    try home.folder.write("", to: "work/folder/file")
    let terminal = try await PromptTests.open(home)
    try await terminal.type(
      "set clock virtual; load SerialQueue Attempts.swift; job = [ fetch: value 1 ]\n",
      expecting: "\n> ")
    try await terminal.type("serial job\n", expecting: "→ 1\n> ")
    try await terminal.expectCompletions(Self.completions)
  }

  @Test func `pressing Tab twice lists the completions`() async throws {
    let terminal = try await PromptTests.open(PlaygroundHome())
    try await terminal.type("load SerialQueue\n", expecting: "\n> ")
    terminal.type("serial.")
    terminal.press(.tab, .tab)
    try await terminal.expectScreen("both variants") { lines in
      lines.last == "> serial."
        && lines.contains { $0.contains("serial.chain") && $0.contains("serial.semaphore") }
    }
  }
}
