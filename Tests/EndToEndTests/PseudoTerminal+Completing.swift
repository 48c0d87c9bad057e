import TerminalTesting
import Testing

extension PseudoTerminal {
  /// Types each text at the prompt, presses the Tab key, and expects the completed line.
  func expectCompletions(_ completions: [(typed: String, line: String)]) async throws {
    for (typed, line) in completions {
      type(typed)
      press(.tab)
      // The character after the completion makes the blank at its end visible.
      type("|")
      do {
        try await expectScreen(line) { $0.last == "> \(line)|" }
      } catch {
        Issue.record("“\(typed)” became “\(screen.last ?? "")”, not “\(line)”: \(error)")
      }
      press(.controlC)
      try await expect("^C\n> ")
    }
  }
}
