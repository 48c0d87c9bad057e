internal import AsyncRuntime

/// A state with waiters for the moment when it is empty.
protocol HasEmptyWaiters: SendableMetatype {
  var isEmpty: Bool { get }
  var waiters: WaiterLine { get set }
}

extension Locked where Value: HasEmptyWaiters {
  /// Suspends the calling task until the value is empty.
  func waitUntilEmpty() async throws {
    try Task.checkCancellation()
    let span = LaneContext.current.span
    let place = withLock { $0.isEmpty ? nil : $0.waiters.enter(for: span) }
    guard let place else { return }
    try await WaiterLine.suspendTask { resume in
      let verdict = withLock { $0.waiters.suspend(at: place, resume) }
      if let verdict { resume(verdict) }
    } givingUp: {
      let resume = withLock { $0.waiters.giveUp(place) }
      resume?(.givesUp)
    }
  }
}

extension WaiterLine {
  /// Suspends the calling task until its verdict is reached. The task must have taken a place.
  ///
  /// `store` stores the handler that it receives at the place, or calls it immediately if there is
  /// a verdict. `giveUp` gives the place up. It is called once if the task is cancelled.
  ///
  /// - Throws: `CancellationError` if it has given up.
  static func suspendTask(
    storing store: (@escaping Resume) -> Void, givingUp giveUp: @Sendable () -> Void
  ) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        store { verdict in
          switch verdict {
          case .continues: continuation.resume()
          case .givesUp: continuation.resume(throwing: CancellationError())
          }
        }
      }
    } onCancel: {
      giveUp()
    }
  }
}
