import AsyncPatterns

/// Work on threads of its own. It ends by itself, or soon after it is asked to stop: at the time limit, or when it is
/// cancelled. If it does not stop within a grace period, it is left behind.
final class StoppableWork<Account: Sendable>: Cancellable {
  /// Why it was stopped.
  enum Stop: Sendable, Hashable {
    case cancelled
    case timeLimit(Duration)
    /// Its code crashed, for that reason.
    case crashed(String)
  }

  private let timeLimit: Duration?
  private let leftBehind: @Sendable (Stop) -> Account
  private let ending = WorkEnd<Account>()
  private let state = Locked(State())

  private struct State: Sendable {
    var work: (any Cancellable)?
    var stop: Stop?
  }

  /// - Parameter leftBehind: returns the account of work that did not stop.
  init(timeLimit: Duration?, leftBehind: @escaping @Sendable (Stop) -> Account) {
    self.timeLimit = timeLimit
    self.leftBehind = leftBehind
  }

  /// The reason why it was stopped, if it was.
  var stop: Stop? { state.withLock { $0.stop } }

  /// The account, if the work has ended.
  var reached: Account? { ending.reached }

  func cancel() { stop(.cancelled) }

  /// Ends the work, and leaves the thread that crashed behind.
  func crashed(_ reason: String) {
    let stop = state.withLock { state in
      state.stop = state.stop ?? .crashed(reason)
      return state.stop ?? .cancelled
    }
    ending.reach(leftBehind(stop))
  }

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

  /// Starts the work, and suspends until it has ended. Call it once.
  ///
  /// - Parameter start: receives the function to call at the end, and returns a way to stop the work.
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
    // The work was stopped before it had started.
    if isStopped { work.cancel() }
    return await ending.account
  }
}
