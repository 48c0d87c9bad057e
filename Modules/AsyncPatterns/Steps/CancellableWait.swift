/// A wait for something that can be called off: a timer and the cancellation of its scope race to end
/// it, and the loser is told.
final class CancellableWait: Sendable {
  private struct State {
    var completion: Completion?
    var source: (any Cancellable)?
    var registration: Cancellation.Registration?
  }

  private let state = Locked(State())

  /// - Parameter startSource: starts what ends the wait, by the closure it is handed.
  func begin(
    in scope: Scope, completion: @escaping Completion,
    startSource: (@escaping Completion) -> any Cancellable
  ) {
    state.withLock { $0.completion = completion }
    let source = startSource { self.end($0) }
    let registration = scope.onCancel { self.end(.failure(CancellationError())) }
    let isOver = state.withLock { state in
      guard state.completion != nil else { return true }
      state.source = source
      state.registration = registration
      return false
    }
    if isOver {
      source.cancel()
      registration.dispose()
    }
  }

  private func end(_ result: Result<Value, any Error>) {
    let ended = state.withLock { state in
      defer { state = State() }
      return state
    }
    ended.source?.cancel()
    ended.registration?.dispose()
    ended.completion?(result)
  }
}
