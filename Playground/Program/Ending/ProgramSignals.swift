import AgentMessages
import AsyncPatterns
import Dispatch
import Foundation
import LineEditing
import SystemSteps

/// Handles Ctrl-C and the other signals that end the program, on the queue that receives them.
///
/// The first signal cancels the work in progress. Then the program saves what must be kept and ends. At the prompt,
/// Ctrl-C only cancels. The second signal ends the program immediately, and so does SIGQUIT.
///
/// A step can hold the main lane indefinitely, so nothing here waits for it.
struct ProgramSignals: Sendable {
  let isPrompt: Bool
  let interruption: Interruption
  let programEnd: ProgramEnd
  private let count = Locked(SignalCount())
  /// The queue on which the program saves, so that the next signal can be received at the same time.
  private let saving = DispatchQueue(label: "saving before the end")

  /// The first signal that asked the program to end. At the prompt, it can be a Ctrl-C that the main lane has not
  /// answered yet.
  var first: Int32? { count.withLock { $0.first } }

  /// Handles a signal.
  ///
  /// - Returns: false if the main lane must end the script, since Ctrl-C had nothing to cancel.
  func receive(_ signal: Int32) -> Bool {
    if signal == SIGQUIT { endImmediately(by: signal) }
    if signal != SIGINT, interruption.passOn(signal) { return true }
    switch count.withLock({ $0.add(signal, at: LiveRuntime.shared.now) }) {
    case .first: break
    case .same: return true
    case .second: endImmediately(by: signal)
    }
    _ = Alarms.schedule(after: SignalCount.window) { remind() }
    guard signal == SIGINT else {
      saving.async {
        LineEditor.giveTerminalBack()
        let cause = "by " + ProcessEnding.name(ofSignal: signal)
        if programEnd.withoutMainLane(cause) { ProgramExit.end(by: signal) }
      }
      return true
    }
    if isPrompt { DispatchQueue.main.async { count.withLock { $0.forget() } } }
    return interruption.raise()
  }

  private func endImmediately(by signal: Int32) -> Never {
    ProgramExit.noteSignal()
    ProgramEnd.endRemains()
    ProgramExit.end(by: signal)
  }

  /// Says how to end the program if it still runs.
  private func remind() {
    guard first != nil else { return }
    let underWay = programEnd.log.underWay
    let holders = MainLane.holders(among: underWay)
    // A plugin's code can block the main thread while no step holds it. If nothing runs, the program itself is busy.
    let isHeld = !holders.isEmpty || !underWay.isEmpty && !MainLane.isAnswering
    let reason = isHeld ? MainLane.held(by: holders) : "the program has not finished yet"
    MainLane.say("  \(reason); another Ctrl-C or SIGTERM ends the program immediately")
  }
}
