import AsyncPatterns

extension Exploration {
  /// Explores asynchronous Swift code that is not aware of the simulation.
  ///
  /// ```swift
  /// let report = await Exploration(schedules: 2_000).explore {
  ///   let cache = Cache()
  ///   async let first = cache.value("x")
  ///   async let second = cache.value("x")
  ///   _ = await (first, second)
  ///   try check(await cache.fetches == 1)
  /// }
  /// ```
  ///
  /// Tasks, actors, streams and sleeps of the body run on the virtual clock. Every hop from one executor to another is
  /// a choice. The body sees the task-local values of the caller. Code outside the body is not affected, even while the
  /// body runs.
  ///
  /// The schedules run on a thread of the simulation. Cancelling the calling task ends the exploration early.
  ///
  /// - Parameter body: called again for each schedule, so it must create the objects that it works on. A schedule
  ///   violates the property if the body throws or never returns.
  /// - Returns: the report, once all schedules have been tried.
  public func explore(
    _ body: @escaping @Sendable () async throws -> Void
  ) async -> ExplorationReport {
    await drive(SearchProgress(self), of: body) { $0.report }
  }

  /// Runs asynchronous Swift code once under a schedule, and records what happens.
  public func replay(
    _ schedule: Schedule, of body: @escaping @Sendable () async throws -> Void
  ) async -> Replay {
    var exploration = self
    exploration.workers = schedule.workers
    return await exploration.drive(SingleTrial(schedule), of: body) {
      $0.replay(nil)
    }
  }

  private func drive<Planner: TrialPlanner, Result: Sendable>(
    _ planner: Planner, of body: @escaping @Sendable () async throws -> Void,
    _ result: @escaping @Sendable (Planner) -> Result
  ) async -> Result {
    let seed = TaskSeed()
    defer { seed.finish() }
    let end = PendingResult<Result>()
    let driver = TrialDriver(planner, of: BodySubject(body, from: seed), as: self) {
      end.reach(result($0))
    }
    return await withTaskCancellationHandler {
      driver.start()
      return await end.result
    } onCancel: {
      driver.interrupt()
    }
  }
}

/// A result that is awaited once.
private final class PendingResult<Result: Sendable>: Sendable {
  private struct State: Sendable {
    var result: Result?
    var waiter: UnsafeContinuation<Void, Never>?
  }

  private let state = Locked(State())

  func reach(_ result: Result) {
    let waiter = state.withLock { state in
      state.result = result
      return state.waiter
    }
    waiter?.resume()
  }

  var result: Result {
    get async {
      await withUnsafeContinuation { continuation in
        let isReached = state.withLock { state in
          if state.result == nil { state.waiter = continuation }
          return state.result != nil
        }
        if isReached { continuation.resume() }
      }
      // ThreadSanitizer does not see that a resumption orders the accesses of two threads if it comes before the
      // suspension.
      return state.withLock { $0.result! }
    }
  }
}
