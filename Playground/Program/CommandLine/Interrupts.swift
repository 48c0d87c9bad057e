import Dispatch
import Foundation
import LineEditing
import Synchronization

/// Ctrl-C while a script runs: once calls off what goes on, twice ends the program.
///
/// It is heard on a queue of its own, since a step may hold the main lane for as long as it likes.
@MainActor
final class Interrupts {
  /// How long the main lane has to end the program in order.
  nonisolated private static let patience = DispatchTimeInterval.milliseconds(250)

  private final class State: Sendable {
    let count = Atomic(0)
    let isEnding = Atomic(false)

    func claimEnd() -> Bool { !isEnding.exchange(true, ordering: .acquiringAndReleasing) }
  }

  private let state = State()
  private var signals: PromptSignals?

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - callOff: calls off what goes on, on any thread; false if there is nothing.
  ///   - end: ends the program in order.
  ///   - endAtOnce: ends the program while something holds the main lane, on a thread of its own.
  func listen(
    callOff: @escaping @Sendable () -> Bool, end: @escaping @MainActor () -> Void,
    endAtOnce: @escaping @Sendable () -> Void
  ) {
    let state = state
    signals = PromptSignals {
      guard state.count.add(1, ordering: .relaxed).newValue > 1 else { return callOff() }
      DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) {
        if state.claimEnd() { endAtOnce() }
      }
      return false
    } receive: { _, isCalledOff in
      if isCalledOff { return }
      // Something may have begun since.
      if state.count.load(ordering: .relaxed) == 1, callOff() { return }
      end()
    }
    signals?.handle([SIGINT], evenIfIgnored: true)
  }

  /// Whether Ctrl-C was pressed.
  var wasHeard: Bool { state.count.load(ordering: .relaxed) > 0 }

  /// Whether the caller is the first to end the program, which is then left to it.
  func claimEnd() -> Bool { state.claimEnd() }
}
