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
