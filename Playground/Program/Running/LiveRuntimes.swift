import AsyncPatterns

/// The live runtimes of a session, one for each number of workers.
final class LiveRuntimes: Sendable {
  private let runtimes = Locked<[Int: LiveRuntime]>([:])

  /// - Parameter workers: nil for as many as suit the machine.
  func runtime(workers: Int?) -> LiveRuntime {
    let workers = workers ?? LiveRuntime.defaultWidth
    return runtimes.withLock { runtimes in
      if let runtime = runtimes[workers] { return runtime }
      let runtime = LiveRuntime(workers: workers)
      runtimes[workers] = runtime
      return runtime
    }
  }

  /// Lets the next run of this width begin with workers of its own: what was left behind may hold
  /// those there are for good.
  func retire(width: Int) { runtimes.withLock { $0[width] = nil } }
}
