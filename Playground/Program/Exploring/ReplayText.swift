import AsyncSimulation
import Composing
import PlaygroundLanguage

/// A schedule and the script that ran under it, on one line, as `replay "…"` takes it.
///
/// ```
/// 4 workers, cancel at 12, 3:1 17:2: job = [ a: sleep 1ms; b: sleep 1ms ]; race job
/// ```
struct ReplayText {
  /// It cannot occur in a schedule, which has no space after a colon.
  static let separator = ": "

  /// What to say if a schedule belongs to other code.
  static func remark(on misfit: String) -> String {
    "The schedule was found with other code or another input: \(misfit). So this is another run."
  }

  let text: String
  /// The command that replays the run.
  let command: String

  /// Nil if the command would be longer than a line of a script can be.
  init?(_ schedule: Schedule, of composed: Composed) {
    guard let script = composed.script else { return nil }
    text = "\(schedule)\(Self.separator)\(script)"
    command = "replay \(QuotedText.quoted(text))"
    if command.utf8.count > Source.longestLine { return nil }
  }
}
