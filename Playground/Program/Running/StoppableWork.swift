import AsyncPatterns

/// Work on threads of its own that ends by itself; or, at the time limit and when it is cancelled, soon
/// after it was asked to; or, if it does not, is left behind after a grace.
final class StoppableWork<Account: Sendable>: Cancellable {
  /// Why it was stopped.
  enum Stop: Sendable, Hashable {
    case cancelled
    case timeLimit(Duration)
  }

  private let timeLimit: Duration?
  private let leftBehind: @Sendable (Stop) -> Account
  private let ending = Ending<Account>()
  private let state = Locked(State())

  private struct State: Sendable {
    var work: (any Cancellable)?
    var stop: Stop?
  }

  /// - Parameter leftBehind: what is to be said of work that did not stop.
  init(timeLimit: Duration?, leftBehind: @escaping @Sendable (Stop) -> Account) {
    self.timeLimit = timeLimit
    self.leftBehind = leftBehind
  }

  /// Why it was stopped, if somebody did.
  var stop: Stop? { state.withLock { $0.stop } }

  /// What became of it, if it has ended.
  var reached: Account? { ending.reached }

  func cancel() { stop(.cancelled) }

  private func stop(_ reason: Stop) {
    let (isFirst, work) = state.withLock { state in
      defer { state.stop = state.stop ?? reason }
      return (state.stop == nil, state.work)
    }
    guard isFirst, !ending.isReached else { return }
    ending.silence(
      Alarms.schedule(after: VirtualExecution.grace) { [self] in
        ending.reach(leftBehind(reason))
      })
    work?.cancel()
  }

  /// Starts it, and suspends until it has ended. To be called once.
  ///
  /// - Parameter start: is handed what to call at the end, and returns what stops it.
  func finished(
    _ start: (@escaping @Sendable (Account) -> Void) -> any Cancellable
  ) async -> Account {
    if let timeLimit {
      ending.silence(
        Alarms.schedule(after: timeLimit) { [weak self] in
          self?.stop(.timeLimit(timeLimit))
        })
    }
    let work = start { [ending] account in ending.reach(account) }
    let isStopped = state.withLock { state in
      state.work = work
      return state.stop != nil
    }
    // Somebody was quicker.
    if isStopped { work.cancel() }
    return await ending.account
  }
}
