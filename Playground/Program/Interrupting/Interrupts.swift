import AsyncPatterns
import Dispatch
import Foundation
import LineEditing
import SystemSteps

/// Ctrl-C, on the queue where it is heard: calls off what goes on; says what holds the main lane, where nobody there
/// can answer; and in the end ends the program. And what else ends it from outside.
///
/// A step may hold the main lane for as long as it likes, so nothing here waits for it.
final class Interrupts: Sendable {
  /// What the next Ctrl-C means.
  enum Manner: Sendable {
    /// A script's second one ends the program.
    case script
    /// At the prompt each calls off what goes on; the one that comes after it was said that the main lane is
    /// held ends the program.
    case prompt
  }

  private struct State: Sendable {
    var count = 0
    /// What the main lane has been asked and has not answered.
    var question: Int?
    /// Whether somebody has begun to say that the main lane is held, and whether that has been said.
    var isTelling = false
    var isTold = false
    /// Whether the program is to end as soon as it has been said.
    var endsOnceTold = false
    var phase = ProgramPhase.running
  }

  private enum Answer {
    case callOff, tell, end
    case whileEnding(ProgramPhase.Request)
  }

  private let manner: Manner
  private let state = Locked(State())
  let callOff: @Sendable () -> Bool
  private let sayHeld: @Sendable () -> Void
  private let endAtOnce: @Sendable () -> Never
  private let keep: @Sendable (Int32) -> Void
  /// Where that is done: the next signal is to be heard meanwhile.
  private let keeping = DispatchQueue(label: "keeps what is to be kept")

  /// - Parameters:
  ///   - callOff: calls off what goes on; false if there is nothing.
  ///   - sayHeld: says what holds the main lane, and that the next Ctrl-C ends the program.
  ///   - endAtOnce: ends the program while something holds the main lane.
  ///   - keep: keeps what is to be kept, before that signal ends the program.
  init(
    _ manner: Manner, callOff: @escaping @Sendable () -> Bool,
    sayHeld: @escaping @Sendable () -> Void, endAtOnce: @escaping @Sendable () -> Never,
    keep: @escaping @Sendable (Int32) -> Void
  ) {
    self.manner = manner
    self.callOff = callOff
    self.sayHeld = sayHeld
    self.endAtOnce = endAtOnce
    self.keep = keep
  }

  /// Ctrl-C has been pressed.
  ///
  /// - Returns: whether something was called off.
  func press() -> Bool {
    switch state.withLock({ answer(in: &$0) }) {
    case .callOff:
      defer { ask() }
      return callOff()
    case .tell:
      _ = Alarms.schedule(after: .zero) { self.tell() }
      return callOff()
    case .end:
      // A script's main lane may still end it in order.
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
    case .script: return state.count == 1 ? .callOff : .end
    case .prompt:
      if state.question == nil { return .callOff }
      if state.isTold { return .end }
      // Who has read it may be faster than the thread that wrote it.
      state.endsOnceTold = state.isTelling
      return .tell
    }
  }

  /// SIGTERM or SIGHUP has come.
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
      // Elsewhere, since somebody may be in the middle of starting a command.
      _ = Alarms.schedule(after: .zero) { ProcessGroups.end() }
      awaitEnd()
    case .same: break
    case .endAtOnce:
      ProcessGroups.end()
      endAtOnce()
    }
  }

  /// Says after a while how to end the program that has been asked to end.
  private func awaitEnd() {
    _ = Alarms.schedule(after: MainLane.patience) {
      self.state.withLock { $0.phase = .overdue }
      MainLane.say(
        "  not everything has been written yet; Ctrl-C or one more SIGTERM ends the program at "
          + "once")
    }
  }

  /// How often it was pressed.
  var count: Int { state.withLock { $0.count } }

  /// Whether the caller is the first to end the program, in order, which is then left to it.
  func claimEnd() -> Bool {
    // At the prompt, what was pressed before called something else off.
    let (isFirst, isAsked) = state.withLock { state in
      let isAsked = manner == .script && state.count > 0
      return (state.phase.begin(isAsked ? .asked : .ending), isAsked)
    }
    if isFirst, isAsked { awaitEnd() }
    return isFirst
  }

  private func endUnlessEnding() {
    // Who has pressed it twice, and been told what for, need not be told once more.
    if state.withLock({ $0.phase.begin(.overdue) }) { endAtOnce() }
  }

  // MARK: The main lane

  /// Asks whether the main lane is free.
  private func ask() {
    let question = state.withLock { state in
      state.question = state.count
      return state.count
    }
    DispatchQueue.main.async { self.answered() }
    _ = Alarms.schedule(after: MainLane.patience) {
      if self.state.withLock({ $0.question == question }) { self.tell() }
    }
  }

  private func answered() {
    state.withLock { state in
      state.question = nil
      (state.isTelling, state.isTold, state.endsOnceTold) = (false, false, false)
    }
  }

  private func tell() {
    let isFirst = state.withLock { state in
      guard state.question != nil, !state.isTelling, state.phase == .running else { return false }
      state.isTelling = true
      return true
    }
    guard isFirst else { return }
    sayHeld()
    let isLast = state.withLock { state in
      state.isTold = state.isTelling
      return state.endsOnceTold
    }
    if isLast { endUnlessEnding() }
  }
}
