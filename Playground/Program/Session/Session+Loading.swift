import AsyncPatterns

extension Session {
  /// Carries out some work of the plugin loader that Ctrl-C can call off; nil if it was.
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

/// Some work of the plugin loader, to be called off.
private final class Loading: Cancellable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  func cancel() { body() }
}
