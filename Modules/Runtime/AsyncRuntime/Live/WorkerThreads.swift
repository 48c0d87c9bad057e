/// How many threads a set of workers has, and how many of them always stay.
final class WorkerThreads: Sendable {
  private let count = Locked(0)
  /// How many stay, with or without a job.
  private let kept: Int
  /// How many seconds each of the others stays without a job.
  let patience: Double

  init(keeping kept: Int, patience: Duration) {
    self.kept = kept
    self.patience = patience / .seconds(1)
  }

  /// A thread was started.
  func began() { count.withLock { $0 += 1 } }

  /// A thread has had no job for a while.
  ///
  /// - Returns: whether it must end. It no longer counts then.
  func mayEnd() -> Bool {
    count.withLock { count in
      guard count > kept else { return false }
      count -= 1
      return true
    }
  }
}
