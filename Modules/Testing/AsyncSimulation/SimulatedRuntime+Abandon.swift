import AsyncPatterns

extension SimulatedRuntime {
  /// Abandons the jobs that are blocked because they wait for a permit. Their threads end, and their lanes become free
  /// for queued jobs.
  ///
  /// Nothing can unwind the stacks of those threads. So the objects on them are never released, and a lock that one of
  /// the threads holds stays locked. Call it at the end, when a test has observed a deadlock and the process continues.
  /// A later run starts the jobs that can start then. Threads that do not belong to the simulation keep waiting.
  ///
  /// Call it only between runs.
  ///
  /// - Returns: how many jobs were abandoned.
  @discardableResult
  public func abandon() -> Int {
    loop.betweenRuns { loop in
      let count = loop.waiting.count { $0.ownPlace != nil }
      loop.abandonWaiters()
      let summary = loop.summary()
      loop.report.withLock { $0 = summary }
      return count
    }
  }
}
