import AsyncPatterns
import Foundation
import TimingTrace

/// Determines, from any thread, which steps hold the main lane.
enum MainLane {
  /// How long the main lane may take to answer before it counts as held.
  static let patience = Duration.milliseconds(250)
  /// Steps of these kinds hold no thread while they are in progress.
  private static let waiting: Set<String> = ["sleep", "never", "twice", "sh"]

  /// The paths of the steps that hold the main lane in some runs in progress, according to their traces.
  static func holders(among runs: [SessionLog.UnderWay]) -> [String] {
    runs.filter { $0.execution.plan.settings.clock == .live }
      .compactMap { holder(in: $0.execution.recordSoFar) }
  }

  /// The path of the step that holds the main lane in a run in progress. The step that started last is on top of the
  /// stack.
  static func holder(in record: RunRecord) -> String? {
    record.open().filter(mayHold)
      .max { ($0.started ?? 0) < ($1.started ?? 0) }?.path
  }

  /// Whether a step holds the main lane while it is in progress.
  static func mayHold(_ step: StepRecord) -> Bool {
    step.isLeaf && step.lane == "main" && !waiting.contains(step.pattern)
  }

  /// Says at a time limit that the main lane is held, if the lane does not answer soon.
  ///
  /// - Parameter holder: returns the path of the step that holds it, nil if no step is known.
  static func reportIfHeld(by holder: @escaping @Sendable () -> String?) {
    let alarm = Alarms.schedule(after: patience * 2) { reportHolder(holder()) }
    LiveRuntime.shared.main.schedule { alarm.cancel() }
  }

  /// Says at the end of a run that the main lane is held, if the lane does not answer soon. If the machine is so busy
  /// that this timer is late as well, it asks the lane again.
  static func reportIfHeldAfterRun(among log: SessionLog) {
    let due = LiveRuntime.shared.now.advanced(by: patience * 3)
    let alarm = Alarms.schedule(after: patience * 3) {
      if due.duration(to: LiveRuntime.shared.now) > patience / 5 {
        return reportIfHeldAfterRun(among: log)
      }
      say("  \(held(by: holders(among: log.underWay))); the next statement waits for it")
    }
    LiveRuntime.shared.main.schedule { alarm.cancel() }
  }

  /// Says which step holds the main lane, at a time limit.
  private static func reportHolder(_ path: String?) {
    say(
      "  \(held(by: path.map { [$0] } ?? [])), so it cannot be stopped at the time limit; the next "
        + "statement waits for it")
  }

  /// Whether the main thread answers soon. Blocks the calling thread meanwhile.
  static var isAnswering: Bool {
    let answer = DispatchSemaphore(value: 0)
    DispatchQueue.main.async { answer.signal() }
    return answer.wait(timeout: .now() + .milliseconds(500)) == .success
  }

  static func held(by paths: [String]) -> String {
    paths.isEmpty
      ? "something blocks the main thread" : "“\(paths.shortList)” blocks the main thread"
  }

  /// Writes text for people to standard error, from any thread.
  static func say(_ text: String) {
    LastRows.giveBack()
    let isTerminal = isatty(STDERR_FILENO) == 1
    let text = isTerminal ? TerminalText.harmless(text) : text
    let wrapped = Prose.wrap(
      PlainText.isUnicode ? text : PlainText.plain(text),
      to: isTerminal ? TerminalStyle.width(of: STDERR_FILENO) : nil, hanging: 2)
    // The text must not stand behind the terminal's own ^C.
    let start = isTerminal ? "\r\n" : ""
    _ = LineOutput(.standardError).writeLast(start + wrapped + "\n", within: .seconds(1))
  }
}
