extension ParkedLine {
  /// Suspends the calling task, which has taken a place, until its verdict is reached.
  ///
  /// `park` stores the handler that it receives at the place, or calls it immediately if there is a verdict. `giveUp` gives
  /// the place up. It is called once when the task is cancelled.
  ///
  /// - Throws: `CancellationError` if it has given up.
  static func suspend(
    parking park: (@escaping Resume) -> Void, givingUp giveUp: @Sendable () -> Void
  ) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        park { verdict in
          switch verdict {
          case .goesOn: continuation.resume()
          case .givesUp: continuation.resume(throwing: CancellationError())
          }
        }
      }
    } onCancel: {
      giveUp()
    }
  }
}
