import AsyncSimulation
import Composing
import PlaygroundLanguage

/// A schedule and the script that ran under it, on one line: what `replay "…"` takes.
///
/// ```
/// 4 workers, cancel at 12, 3:1 17:2: job = [ a: sleep 1ms; b: sleep 1ms ]; race job
/// ```
struct ReplayText {
  /// No schedule has a blank behind a colon.
  static let separator = ": "

  let text: String
  /// What somebody can type to have it again.
  let command: String

  /// Nil where it would be longer than a line may be.
  init?(_ schedule: Schedule, of composed: Composed) {
    guard let script = composed.script else { return nil }
    text = "\(schedule)\(Self.separator)\(script)"
    command = "replay \(QuotedText.quoted(text))"
    if command.utf8.count > Source.longestLine { return nil }
  }
}
