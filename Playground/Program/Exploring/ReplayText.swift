import PlaygroundLanguage
import Simulation

/// A schedule and the script that ran under it, on one line: what `replay "…"` takes.
///
/// ```
/// 4 workers, cancel at 12, 3:1 17:2: job = [ a: sleep 1ms; b: sleep 1ms ]; race job
/// ```
struct ReplayText: Hashable {
  let schedule: Schedule
  let script: String

  var text: String { "\(schedule)\(Self.separator)\(script)" }

  /// No schedule has a blank behind a colon.
  static let separator = ": "

  /// What somebody can type to have it again; nil where it is longer than a line may be.
  var command: String? {
    let command = "replay \(QuotedText.quoted(text))"
    return command.utf8.count > Source.longestLine ? nil : command
  }
}
