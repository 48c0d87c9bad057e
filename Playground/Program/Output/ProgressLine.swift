import AsyncPatterns
import Foundation
import TimingTrace
import TraceDrawing

/// A line in a terminal that shows long work: what runs, how much is done, and how long it may take.
///
/// It appears after 300 ms and disappears when the work ends. Without a terminal there is none.
@MainActor
final class ProgressLine {
  private static let patience = Duration.milliseconds(300)
  private static let interval = Duration.milliseconds(250)

  private let console: Console
  private let characters: Timeline.Style
  private let interruption: Interruption
  private let text: @MainActor (Duration) -> String
  private let start = LiveRuntime.shared.now
  private var timer: (any Cancellable)?

  /// - Parameters:
  ///   - interruption: cancels the work at Ctrl-C.
  ///   - text: returns the line for the time since the start.
  init(
    on console: Console, _ style: TerminalStyle, cancelledBy interruption: Interruption,
    _ text: @escaping @MainActor (Duration) -> String
  ) {
    self.console = console
    self.interruption = interruption
    self.text = text
    characters = style.characters
    if console.canShowProgress { showAgain(after: Self.patience) }
  }

  func stop() {
    timer?.cancel()
    timer = nil
    LastRows.giveBack()
  }

  private func showAgain(after delay: Duration) {
    timer = LiveRuntime.shared.main.schedule(after: delay) { [weak self] in
      MainActor.assumeIsolated { self?.show() }
    }
  }

  private func show() {
    guard timer != nil else { return }
    let runtime = LiveRuntime.shared
    let begin = runtime.now
    let hint = interruption.hasCancelled ? "cancelling" : "Ctrl-C cancels it"
    let line = "  \(text(start.duration(to: begin))); \(hint)"
    // The last column stays free, since some terminals continue on the next line there.
    let width = TerminalStyle.width(of: STDOUT_FILENO) ?? 80
    let shown = TerminalText.printable(line, style: characters)
    if LastRows.show([TerminalText.fit(shown, width - 1, style: characters)]) != nil { return }
    // Updates less often for large work, so that the updates take at most a tenth of the time.
    showAgain(after: max(Self.interval, begin.duration(to: runtime.now) * 9))
  }
}

/// How much of some work is done.
struct DoneShare {
  let done: Int
  let total: Int

  /// How long the rest may take if it is as fast as before. Nil if nothing or everything is done.
  private func remaining(after time: Duration) -> String? {
    guard done > 0, done < total else { return nil }
    let rest = time * (Double(total - done) / Double(done))
    return "about \(rest.rounded) left"
  }

  /// The share and the remaining time, separated by commas: `40 %, about 3s left`.
  func text(after time: Duration) -> String {
    let percent = total > 0 ? "\(done * 100 / total) %" : nil
    return [percent, remaining(after: time)].compactMap(\.self).joined(separator: ", ")
  }
}

extension Duration {
  /// The duration in whole seconds, or tenths of a second below ten seconds, so that a changing value is readable.
  var rounded: String {
    let tenths = Int64((self / .milliseconds(100)).rounded())
    let shown = tenths < 100 ? tenths : (tenths + 5) / 10 * 10
    return Duration.milliseconds(shown * 100).shortDescription
  }
}
