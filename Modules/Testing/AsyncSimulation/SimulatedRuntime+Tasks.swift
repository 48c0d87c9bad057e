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
  /// It begins when the simulation runs. All that it starts belongs to the simulation: `Task {}`, actors, the main
  /// actor, streams, and `Task.sleep`, which takes virtual time. What comes from outside, such as a Dispatch queue, is
  /// waited for in real time, up to the patience of the simulation: `report.escapes` names it.
  ///
  /// Await its value only when it has returned, since nothing happens unless the simulation runs.
  @discardableResult
  public func task<Success: Sendable>(
    _ body: @escaping @Sendable () async throws -> Success
  ) -> Task<Success, any Error> {
    asynchronousBodyStarted(.none)
    return loop.leadingTasks {
      Task { [self] in
        defer { asynchronousBodyEnded(.none) }
        return try await body()
      }
    }
  }
}
