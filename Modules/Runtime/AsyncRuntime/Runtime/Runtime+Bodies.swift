extension Runtime {
  /// Starts the asynchronous function of a span on the pool.
  ///
  /// On a virtual clock that leads Swift's tasks, it is a task as any other; else it prefers the pool as its executor.
  @discardableResult
  public func startBody<Success: Sendable>(
    of span: Span, _ body: @escaping @Sendable () async throws -> Success
  ) -> Task<Success, any Error> {
    guard let virtual, virtual.leadsTasks, !virtual.isForeignThread else {
      return Task(executorPreference: SchedulerExecutor(pool, span: span), operation: body)
    }
    return LaneContext.current.scheduling(.body) { Task(operation: body) }
  }
}
