import AsyncPatterns
import Foundation
import SystemSteps

extension Session {
  /// `!COMMAND`: runs a shell command with the streams of the program. Ctrl-C reaches it through the terminal.
  func runShell(_ command: String) async {
    let process = ProgramProcess("/bin/sh", ["-c", command], adding: [:], .inherited)
    let (interrupts, interrupt) = AsyncStream.makeStream(of: Void.self)
    interruption.begin(CancellableWork { interrupt.yield() })
    defer { interruption.end() }
    do {
      let end = try await process.run(started: { _ in })
      if isInteractive, end == .signalled(SIGINT) {
        // The terminal has sent Ctrl-C to this process as well. It must not cancel what is entered next.
        _ = Alarms.schedule(after: .seconds(1)) { interrupt.finish() }
        for await _ in interrupts { break }
      }
      switch end {
      case .exited(0): return
      case .exited(let code): console.complain("  exit status \(code)")
      case .signalled(let signal): console.complain("  ended by signal \(signal)")
      }
      status.add(.failed)
    } catch {
      fail(error)
    }
  }

  /// Shows a text. At the prompt, a text that is longer than the window is shown with `$PAGER`, or with `less`.
  func page(_ text: String) async {
    guard isInteractive, Pager.isNeeded(for: text) else { return console.say(text) }
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("playground-\(UUID().uuidString).txt")
    defer { try? FileManager.default.removeItem(at: file) }
    guard (try? Data((text + "\n").utf8).write(to: file)) != nil else { return console.say(text) }
    await runShell("\(Pager.command) < '\(file.path)'")
  }

  /// `history`: lists the latest entries, with the lines of each below each other.
  func showHistory() {
    guard let history else { return console.say("The history is kept at the prompt only.") }
    let entries = Array(history().enumerated().suffix(Self.mostEntries))
    let width = String(entries.last.map { $0.offset + 1 } ?? 0).count
    let lines = entries.map { index, entry in
      let number = String(index + 1)
      let margin = String(repeating: " ", count: width + 2)
      return String(repeating: " ", count: width - number.count) + number + "  "
        + entry.replacing("\n", with: "\n" + margin)
    }
    console.say(lines.joined(separator: "\n"))
  }

  private static var mostEntries: Int { 50 }
}
