import AsyncPatterns
import Dispatch
import Foundation
import LineEditing
import SystemSteps

/// Handles Ctrl-C and the other signals that end the program, on the queue that receives them. Ctrl-C cancels the work
/// in progress. If the main lane does not answer, it says what holds that lane. A further Ctrl-C ends the program.
///
/// A step can hold the main lane indefinitely, so nothing here waits for it.
final class Interrupts: Sendable {
  /// What a further Ctrl-C does.
  enum Manner: Sendable {
    /// In a script, the second one ends the program.
    case script
    /// At the prompt, each one cancels the work in progress. After a message that the main lane is held, the next
    /// one ends the program.
    case prompt
  }

  private struct State: Sendable {
    var count = 0
    /// The question that the main lane has not answered yet.
    var question: Int?
    /// Whether a thread has started to write that the main lane is held, and whether it has written that.
    var isReporting = false
    var isReported = false
    /// Whether the program must end as soon as that has been written.
    var endsOnceReported = false
    var phase = ProgramPhase.running
  }

  private enum Answer {
    case cancel, report, end
    case whileEnding(ProgramPhase.Request)
  }

  private let manner: Manner
  private let state = Locked(State())
  let cancelWork: @Sendable () -> Bool
  private let reportHolders: @Sendable () -> Void
  private let endAtOnce: @Sendable () -> Never
  private let keep: @Sendable (Int32) -> Void
  /// The queue on which `keep` runs, so that the next signal is received meanwhile.
  private let keeping = DispatchQueue(label: "saving before the end")

  /// - Parameters:
  ///   - cancelWork: cancels the work in progress; false if there is none.
  ///   - reportHolders: says what holds the main lane, and that the next Ctrl-C ends the program.
  ///   - endAtOnce: ends the program while something holds the main lane.
  ///   - keep: saves what must be kept before the given signal ends the program.
  init(
    _ manner: Manner, cancelWork: @escaping @Sendable () -> Bool,
    reportHolders: @escaping @Sendable () -> Void, endAtOnce: @escaping @Sendable () -> Never,
    keep: @escaping @Sendable (Int32) -> Void
  ) {
    self.manner = manner
    self.cancelWork = cancelWork
    self.reportHolders = reportHolders
    self.endAtOnce = endAtOnce
    self.keep = keep
  }

  /// Handles a press of Ctrl-C.
  ///
  /// - Returns: whether some work was cancelled.
  func press() -> Bool {
    switch state.withLock({ answer(in: &$0) }) {
    case .cancel:
      defer { ask() }
      return cancelWork()
    case .report:
      _ = Alarms.schedule(after: .zero) { self.report() }
      return cancelWork()
    case .end:
      // In a script, the main lane may still end the program in order.
      _ = Alarms.schedule(after: manner == .script ? MainLane.patience : .zero) {
        self.endUnlessEnding()
      }
      return false
    case .whileEnding(let request):
      carryOut(request) {
        LineEditor.giveTerminalBack()
        _exit(ExitStatus.Reason.interrupted.rawValue)
      }
      return false
    }
  }

  private func answer(in state: inout State) -> Answer {
    state.count += 1
    if let request = state.phase.press() { return .whileEnding(request) }
    switch manner {
    case .script: return state.count == 1 ? .cancel : .end
    case .prompt:
      if state.question == nil { return .cancel }
      if state.isReported { return .end }
      // A user can read the message and press Ctrl-C before the thread that wrote it continues.
      state.endsOnceReported = state.isReporting
      return .report
    }
  }

  /// Handles SIGTERM or SIGHUP.
  func terminate(by signal: Int32) {
    let request = state.withLock { $0.phase.terminate() }
    if request == .end {
      keeping.async {
        self.keep(signal)
        PromptSignals.endProgram(by: signal)
      }
    }
    carryOut(request) { PromptSignals.endProgram(by: signal) }
  }

  private func carryOut(_ request: ProgramPhase.Request, endAtOnce: () -> Never) {
    switch request {
    case .end: awaitEnd()
    case .hurry:
      // On another thread, since a command may be starting on this one.
      _ = Alarms.schedule(after: .zero) { ProcessGroups.end() }
      awaitEnd()
    case .same: break
    case .endAtOnce:
      ProcessGroups.end()
      endAtOnce()
    }
  }

  /// Says after a while how to end a program that has already been asked to end.
  private func awaitEnd() {
    _ = Alarms.schedule(after: MainLane.patience) {
      self.state.withLock { $0.phase = .overdue }
      MainLane.say(
        "  not everything has been written yet; another Ctrl-C or SIGTERM ends the program "
          + "immediately")
    }
  }

  /// How often Ctrl-C was pressed.
  var count: Int { state.withLock { $0.count } }

  /// Whether the caller is the first to end the program. If so, the caller must end it in order.
  func claimEnd() -> Bool {
    // At the prompt, earlier presses cancelled other work.
    let (isFirst, isAsked) = state.withLock { state in
      let isAsked = manner == .script && state.count > 0
      return (state.phase.begin(isAsked ? .asked : .ending), isAsked)
    }
    if isFirst, isAsked { awaitEnd() }
    return isFirst
  }

  private func endUnlessEnding() {
    // The user has pressed Ctrl-C twice and has read what the second press does, so no further message is needed.
    if state.withLock({ $0.phase.begin(.overdue) }) { endAtOnce() }
  }

  // MARK: The main lane

  /// Checks whether the main lane is free.
  private func ask() {
    let question = state.withLock { state in
      state.question = state.count
      return state.count
    }
    DispatchQueue.main.async { self.answered() }
    _ = Alarms.schedule(after: MainLane.patience) {
      if self.state.withLock({ $0.question == question }) { self.report() }
    }
  }

  private func answered() {
    state.withLock { state in
      state.question = nil
      (state.isReporting, state.isReported, state.endsOnceReported) = (false, false, false)
    }
  }

  private func report() {
    let isFirst = state.withLock { state in
      guard state.question != nil, !state.isReporting, state.phase == .running else { return false }
      state.isReporting = true
      return true
    }
    guard isFirst else { return }
    reportHolders()
    let isLast = state.withLock { state in
      state.isReported = state.isReporting
      return state.endsOnceReported
    }
    if isLast { endUnlessEnding() }
  }
}
