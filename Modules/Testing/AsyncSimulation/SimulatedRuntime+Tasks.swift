import AsyncPatterns

extension SimulatedRuntime {
  /// Runs asynchronous code on the pool: the way to test such code of one's own on virtual time.
  ///
  /// ```swift
  /// let task = runtime.task { try await upload(file, clock: runtime.clock) }
  /// runtime.runUntilIdle()
  /// #expect(try await task.value == .uploaded)
  /// ```
  ///
  /// It begins when the simulation runs. Its child tasks and default actors stay on the pool, and so does
  /// what sleeps on `clock`. What leaves (`Task {}`, `Task.detached`, `Task.sleep` without a clock, the
  /// main actor, an actor with an executor of its own) is waited for in real time, up to the patience of
  /// the simulation, whose order is not exact then: `report.escapes` tells.
  ///
  /// Await its value only when it has returned, since nothing happens unless the simulation runs.
  @discardableResult
  public func task<Success: Sendable>(
    _ body: @escaping @Sendable () async throws -> Success
  ) -> Task<Success, any Error> {
    asynchronousBodyStarted(.none)
    return Task(executorPreference: SchedulerExecutor(pool)) { [self] in
      defer { asynchronousBodyEnded(.none) }
      return try await body()
    }
  }
}
