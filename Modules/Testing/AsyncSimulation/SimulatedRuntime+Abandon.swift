import AsyncPatterns

extension SimulatedRuntime {
  /// Gives up the jobs that stand parked for want of a permit: their threads end, and their lanes are
  /// free for what was waiting for one.
  ///
  /// What stood on their stacks is never let go of, since nothing can unwind it: objects leak, and a lock
  /// that one of them held stays locked. So it is for the end, when a test has seen what it wanted of a
  /// deadlock and the process goes on. A run afterwards starts what can start now. Threads that are not
  /// the simulation's keep waiting.
  ///
  /// Only between runs.
  ///
  /// - Returns: how many there were.
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
