import AsyncPatterns

/// The live runtimes of a session, one for each number of workers.
final class LiveRuntimes: Sendable {
  private let runtimes = Locked<[Int: LiveRuntime]>([:])

  /// - Parameter workers: nil for the default number of this machine.
  func runtime(workers: Int?) -> LiveRuntime {
    let workers = workers ?? LiveRuntime.defaultWidth
    return runtimes.withLock { runtimes in
      if let runtime = runtimes[workers] { return runtime }
      let runtime = LiveRuntime(workers: workers)
      runtimes[workers] = runtime
      return runtime
    }
  }

  /// Gives the next run of this width new workers: a run that was left behind may hold the present ones forever.
  func retire(width: Int) { runtimes.withLock { $0[width] = nil } }
}
