import TerminalTesting
import Testing

/// What `help` says about the relatives of a pattern.
@Suite struct RelatedPatternTests {
  @Test func `help says how a pattern differs, and names its relatives`() async throws {
    let help = try await PlaygroundHome().eval("load Promises; help race")
    #expect(help.code == 0)
    let lines = """

        Differs from any, where a failure never wins.
        See also: any, timeout, all.

      Examples:

      """
    #expect(help.output.contains(lines), "\(help)")
  }

  @Test func `help on a pattern without relatives names none`() async throws {
    let help = try await PlaygroundHome().eval("load SerialQueue; help animate")
    #expect(help.code == 0)
    #expect(!help.output.contains("See also"), "\(help)")
    #expect(!help.output.contains("Differs from"), "\(help)")
  }

  @Test func `each relative is another pattern`() async throws {
    let texts = try await PatternHelp.texts()
    for (name, help) in texts.sorted(by: { $0.key < $1.key }) {
      let relatives = Self.relatives(in: help)
      #expect(Set(relatives).isSubset(of: texts.keys), "\(name): \(relatives)")
      #expect(!relatives.contains(name), "\(name)")
      #expect(Set(relatives).count == relatives.count, "\(name): \(relatives)")
      // A pattern that it differs from is one of its relatives.
      guard let difference = Self.line("Differs from ", in: help) else { continue }
      let other = try #require(difference.split(whereSeparator: { $0 == "," || $0 == " " }).first)
      #expect(relatives.contains(String(other)), "\(name): \(difference)")
    }
  }

  @Test(arguments: [
    "group", "bounded", "graph", "operations", "swift.taskgroup", "timeout", "retry", "race", "any",
    "serial", "promise", "all", "settled", "recover", "task", "serial.chain", "swift.sequence",
  ])
  func `a pattern that is easily mistaken for another says so`(name: String) async throws {
    let help = try await PatternHelp.text(name)
    #expect(Self.line("Differs from ", in: help) != nil, "\(help)")
    #expect(!Self.relatives(in: help).isEmpty, "\(help)")
  }

  @Test(arguments: [
    ("race", "the value of the step that decides."), ("any", "the value of the step that decides."),
    ("recover", "the value of the step that decides."), ("group", "the list of their values."),
    ("serial", "the last value is the result."),
  ])
  func `help says which value is the result`(name: String, end: String) async throws {
    let help = try await PatternHelp.text(name)
    #expect(Self.line("Values: ", in: help)?.hasSuffix(end) == true, "\(help)")
  }

  /// The names after “See also”.
  private static func relatives(in help: String) -> [String] {
    line("See also: ", in: help)?.dropLast().split(separator: ", ").map(String.init) ?? []
  }

  /// The rest of the line that begins with `start`.
  private static func line(_ start: String, in help: String) -> Substring? {
    help.split(separator: "\n").first { $0.hasPrefix("  " + start) }?.dropFirst(start.count + 2)
  }
}
