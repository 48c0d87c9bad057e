import AsyncPatterns

/// How something ended: the first account of it counts, and goes to whoever asks.
final class Ending<Account: Sendable>: Sendable {
  private struct State {
    var account: Account?
    var continuations: [CheckedContinuation<Account, Never>] = []
    var alarms: [any Cancellable] = []
  }

  private let state = Locked(State())

  var isReached: Bool { state.withLock { $0.account != nil } }

  /// The account, if it has been reached.
  var reached: Account? { state.withLock { $0.account } }

  /// Suspends until it is reached.
  var account: Account {
    get async {
      await withCheckedContinuation { continuation in
        let account = state.withLock { state in
          if state.account == nil { state.continuations.append(continuation) }
          return state.account
        }
        if let account { continuation.resume(returning: account) }
      }
    }
  }

  /// Ends it, unless it has ended.
  func reach(_ account: Account) {
    let before = state.withLock { state in
      guard state.account == nil else { return State() }
      defer { state = State(account: account) }
      return state
    }
    for alarm in before.alarms { alarm.cancel() }
    for continuation in before.continuations { continuation.resume(returning: account) }
  }

  /// Calls off `alarm` when it ends.
  func silence(_ alarm: any Cancellable) {
    let isOver = state.withLock { state in
      if state.account == nil { state.alarms.append(alarm) }
      return state.account != nil
    }
    if isOver { alarm.cancel() }
  }
}
