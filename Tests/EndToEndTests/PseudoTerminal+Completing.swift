import TerminalTesting
import Testing

extension PseudoTerminal {
  /// Types each text at the prompt, presses the tab key, and expects what it comes to.
  func expectCompletions(_ completions: [(typed: String, line: String)]) async throws {
    for (typed, line) in completions {
      type(typed)
      press(.tab)
      // A character behind it shows the blank that a completion ends with.
      type("|")
      do {
        try await expectScreen(line) { $0.last == "> \(line)|" }
      } catch {
        Issue.record("“\(typed)” became “\(screen.last ?? "")”, not “\(line)”")
      }
      press(.controlC)
      try await expect("^C\n> ")
    }
  }
}
