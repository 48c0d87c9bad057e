import AsyncPatterns

extension Session {
  /// Performs work of the plugin loader, which Ctrl-C can cancel. Nil if it was cancelled.
  func loading<Result: Sendable>(
    _ body: @escaping @MainActor @Sendable () async -> Result
  ) async -> Result? {
    let task = Task { await body() }
    interruption.begin(Loading { task.cancel() })
    let result = await task.value
    interruption.end()
    return task.isCancelled ? nil : result
  }
}

/// Work of the plugin loader that can be cancelled.
private final class Loading: Cancellable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  func cancel() { body() }
}
