import AsyncPatterns

/// How a run ended: the first account of it counts, and goes to whoever asks.
final class Ending: Sendable {
  private struct State {
    var run: FinishedRun?
    var continuations: [CheckedContinuation<FinishedRun, Never>] = []
    var alarms: [any Cancellable] = []
  }

  private let state = Locked(State())

  var isReached: Bool { state.withLock { $0.run != nil } }

  /// Suspends until it is reached.
  var run: FinishedRun {
    get async {
      await withCheckedContinuation { continuation in
        let run = state.withLock { state in
          if state.run == nil { state.continuations.append(continuation) }
          return state.run
        }
        if let run { continuation.resume(returning: run) }
      }
    }
  }

  /// Ends the run, unless it has ended.
  func reach(_ run: FinishedRun) {
    let before = state.withLock { state in
      guard state.run == nil else { return State() }
      defer { state = State(run: run) }
      return state
    }
    for alarm in before.alarms { alarm.cancel() }
    for continuation in before.continuations { continuation.resume(returning: run) }
  }

  /// Calls off `alarm` when the run ends.
  func silence(_ alarm: any Cancellable) {
    let isOver = state.withLock { state in
      if state.run == nil { state.alarms.append(alarm) }
      return state.run != nil
    }
    if isOver { alarm.cancel() }
  }
}
