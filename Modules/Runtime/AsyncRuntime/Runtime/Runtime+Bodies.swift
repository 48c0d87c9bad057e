extension Runtime {
  /// Starts the asynchronous function of a span on the pool.
  ///
  /// On a virtual clock that runs Swift's tasks, it is an ordinary task. Otherwise its preferred executor is the pool.
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
