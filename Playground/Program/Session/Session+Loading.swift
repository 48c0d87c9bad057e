extension Session {
  /// Performs work of the plugin loader, which Ctrl-C can cancel. Nil if it was cancelled.
  func loading<Result: Sendable>(
    _ body: @escaping @MainActor @Sendable () async -> Result
  ) async -> Result? {
    let task = Task { await body() }
    interruption.begin(CancellableWork { task.cancel() })
    let result = await task.value
    interruption.end()
    return task.isCancelled ? nil : result
  }
}
