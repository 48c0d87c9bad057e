import AsyncPatterns
import Foundation
import PlaygroundLanguage
import SystemSteps

/// What was typed at the prompt: `save` and `edit`.
extension Session {
  /// Whether a block has only commands that list something, or that are about the prompt. Such blocks are neither saved
  /// nor edited.
  func isAboutTyping(_ source: Source) -> Bool {
    let (script, diagnostics) = Parser.parse(source)
    guard diagnostics.isEmpty, !script.statements.isEmpty else { return false }
    return script.statements.allSatisfy { statement in
      guard case .command(let command) = statement.kind else { return false }
      return switch command.kind {
      case .save, .edit, .quit, .history, .help, .lessons, .names, .plugins, .patterns, .runs,
        .jobs:
        true
      case .show(_, .timeline), .show(_, .lanes), .show(_, .allSteps): true
      default: false
      }
    }
  }

  /// Writes what was typed to a file, as a script.
  func saveTyped(to file: String) {
    do {
      guard !typed.isEmpty else {
        throw CommandError(
          "nothing has been typed yet",
          hint: isInteractive ? nil : "“trace save FILE” saves runs")
      }
      try keepOptionFiles(from: file)
      try WrittenKind.script.check(file, of: "“save”")
      let text = WrittenKind.scriptStart + "\n" + typed.map { $0 + "\n" }.joined()
      try File(FilePath.resolve(file)).replace(with: Data(text.utf8))
      console.say("saved \(typed.count.of("entry")) to \(file)")
    } catch {
      fail(error)
    }
  }

  /// Opens a text in the user's editor. At the prompt, the edited text is then entered.
  func edit(_ text: String) async {
    guard let enter else { return }
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("playground-\(UUID().uuidString).play")
    defer { try? FileManager.default.removeItem(at: file) }
    do { try Data((text + "\n").utf8).write(to: file) } catch { return fail(error) }
    await runShell("${VISUAL:-${EDITOR:-vi}} '\(file.path)'")
    guard let edited = try? String(contentsOf: file, encoding: .utf8) else {
      return fail(CommandError("the editor left no text", hint: "save the file in the editor"))
    }
    let lines = Self.withoutBlankEnd(edited)
    guard !lines.isEmpty, lines != Self.withoutBlankEnd(text) else {
      return console.say("Nothing was changed.")
    }
    console.say(String(lines))
    enter(String(lines))
  }

  private static func withoutBlankEnd(_ text: String) -> Substring {
    var text = text[...]
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
