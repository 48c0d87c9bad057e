import Foundation
import Synchronization

/// The last row of the terminal, while it shows long work. All other output scrolls above it, also that of a plugin,
/// which does not come from the console.
enum LastRow {
  private static let isUsed = Atomic<Bool>(false)

  private static var height: Int { TerminalStyle.windowHeight }

  /// Moves to the row, and clears it.
  private static var start: String { "\u{1B}[\(height);1H\u{1B}[2K" }

  /// What to write so that the row shows a line, and output continues where it was.
  static func showing(_ line: String) -> String {
    let wasUsed = isUsed.exchange(true, ordering: .relaxed)
    // Output must not continue in the row itself: scrolls if it would.
    let room = wasUsed ? "" : "\u{1B}D\u{1B}M"
    return room + "\u{1B}7\u{1B}[1;\(height - 1)r" + start + line + "\u{1B}8"
  }

  /// What to write so that the row is a row like all others again. Nil if it is one.
  static func givingBack() -> String? {
    guard isUsed.exchange(false, ordering: .relaxed) else { return nil }
    return "\u{1B}7\u{1B}[r" + start + "\u{1B}8"
  }

  /// Makes the row a row like all others again, because the program ends. Any thread can call it.
  static func giveBack() {
    guard let text = givingBack() else { return }
    _ = LineOutput(.standardOutput).writeLast(text, within: .milliseconds(100))
  }
}
