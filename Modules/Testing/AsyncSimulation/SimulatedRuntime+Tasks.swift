import AsyncPatterns

extension SimulatedRuntime {
  /// Runs asynchronous code on the pool. Use it to test your own asynchronous code on virtual time.
  ///
  /// ```swift
  /// let task = runtime.task { try await upload(file, clock: runtime.clock) }
  /// runtime.runUntilIdle()
  /// #expect(try await task.value == .uploaded)
  /// ```
  ///
  /// The code starts when the simulation runs. Everything that it starts belongs to the simulation: `Task {}`, actors,
  /// the main actor, streams, and `Task.sleep`, which takes virtual time. For work that comes from outside, such as a
  /// Dispatch queue, the simulation waits in real time, up to its patience. `report.escapes` lists such work.
  ///
  /// Await the value of the task only when the code has returned, since nothing happens unless the simulation runs.
  ///
  /// - Parameter name: the name of the task in traces; by default the calling function.
  @discardableResult
  public func task<Success: Sendable>(
    name: String = #function, _ body: @escaping @Sendable () async throws -> Success
  ) -> Task<Success, any Error> {
    asynchronousBodyStarted(.none)
    return loop.leadingTasks {
      Task(name: name) { [self] in
        defer { asynchronousBodyEnded(.none) }
        return try await body()
      }
    }
  }
}
