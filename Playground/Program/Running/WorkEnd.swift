import AsyncPatterns

/// How some work ended. The first account counts, and every caller that waits receives it.
final class WorkEnd<Account: Sendable>: Sendable {
  private struct State {
    var account: Account?
    var continuations: [CheckedContinuation<Account, Never>] = []
    var alarms: [any Cancellable] = []
  }

  private let state = Locked(State())

  var isReached: Bool { state.withLock { $0.account != nil } }

  /// The account, if the work has ended.
  var reached: Account? { state.withLock { $0.account } }

  /// Suspends until the work has ended.
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

  /// Ends the work with `account`, unless it has already ended.
  func reach(_ account: Account) {
    let before = state.withLock { state in
      guard state.account == nil else { return State() }
      defer { state = State(account: account) }
      return state
    }
    for alarm in before.alarms { alarm.cancel() }
    for continuation in before.continuations { continuation.resume(returning: account) }
  }

  /// Cancels `alarm` when the work ends.
  func silence(_ alarm: any Cancellable) {
    let hasEnded = state.withLock { state in
      if state.account == nil { state.alarms.append(alarm) }
      return state.account != nil
    }
    if hasEnded { alarm.cancel() }
  }
}
