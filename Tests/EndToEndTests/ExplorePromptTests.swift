import TerminalTesting
import Testing

/// `explore` at the prompt: its progress, Ctrl-C, and the completions of Tab.
@Suite struct ExplorePromptTests {
  private static func open(_ home: PlaygroundHome) async throws -> PseudoTerminal {
    try home.write(PluginSources.races, to: "Races.swift")
    let terminal = try await PromptTests.open(home)
    try await terminal.type("load SerialQueue Races.swift\n", expecting: "loaded Races")
    try await terminal.expect("\n> ")
    return terminal
  }

  @Test func `a long one shows its progress, and Ctrl-C cancels it`() async throws {
    let home = try PlaygroundHome()
    let terminal = try await Self.open(home)
    terminal.type("explore at-once { 3 * sleep 1ms } runs exactly 1000000000\n")
    try await terminal.expectScreen("how far it is") {
      $0.last?.contains("; Ctrl-C cancels it") == true
    }
    try await terminal.press(.controlC, expecting: "no violation")
    let said = try await terminal.expect("\n> ")
    #expect(said.contains("It was cancelled before all schedules were tried."), "\(said)")
    try await terminal.type(
      "explore value 1 runs 2\n", expecting: "2 schedules, 1 distinct: no violation")
    try await terminal.expect("\n> ")
    terminal.press(.controlD)
    #expect(try await terminal.waitForExit() == 0)
  }

  @Test func `the result until then is shown`() async throws {
    let home = try PlaygroundHome()
    let terminal = try await Self.open(home)
    terminal.type(
      ExploreTests.race.replacing("checking", with: "runs exactly 1000000000 checking") + "\n")
    try await terminal.expectScreen("how far it is") {
      $0.last?.contains("Ctrl-C cancels it") == true
    }
    try await terminal.press(.controlC, expecting: "“order a, b” does not hold: it was b, a")
    try await terminal.expect("The schedule is shown as it was found, and was not simplified.")
    try await terminal.expect("\nreplay \"4 workers, ")
    try await terminal.expect("\n> ")
  }

  @Test func `a short exploration shows no progress`() async throws {
    let home = try PlaygroundHome()
    let terminal = try await Self.open(home)
    try await terminal.type(
      "explore value 1\n", expecting: "the only schedule, in 10 tries: no violation")
    try await terminal.expect("\n> ")
    #expect(!terminal.raw.contains("per second"))
  }

  static let completions: [(typed: String, line: String)] = [
    ("explo", "explore "),
    ("explore at-", "explore at-once "),
    ("explore at-once jo", "explore at-once job "),
    ("explore at-once job str", "explore at-once job strategy "),
    ("explore at-once job strategy p", "explore at-once job strategy pct "),
    ("explore at-once job inject l", "explore at-once job inject lateness "),
    ("explore at-once job che", "explore at-once job checking "),
    ("explore at-once job checking { exp", "explore at-once job checking { expect "),
    ("explore value 1 checking { expect m", "explore value 1 checking { expect makespan "),
    // No run has these steps yet.
    (
      "explore at-once job checking { expect order fet",
      "explore at-once job checking { expect order fetch "
    ),
    (
      "explore at-once { x: at-once job; y: sleep 1ms } checking { expect finished x/st",
      "explore at-once { x: at-once job; y: sleep 1ms } checking { expect finished x/store "
    ),
    ("expect viol", "expect violations "),
    ("repl", "replay "),
    ("help explore", "help explore "),
  ]

  @Test func `Tab completes`() async throws {
    let home = try PlaygroundHome()
    let terminal = try await Self.open(home)
    try await terminal.type("job = [ fetch: sleep 1ms; store: sleep 1ms ]\n", expecting: "\n> ")
    try await terminal.expectCompletions(Self.completions)
  }
}
