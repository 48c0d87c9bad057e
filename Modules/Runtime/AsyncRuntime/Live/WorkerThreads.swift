/// Counts the threads of a set of workers, and decides which of them may end.
final class WorkerThreads: Sendable {
  private let count = Locked(0)
  /// The number of threads that stay, even without a job.
  private let kept: Int
  /// How long each of the other threads stays without a job, in seconds.
  let patience: Double

  init(keeping kept: Int, patience: Duration) {
    self.kept = kept
    self.patience = patience / .seconds(1)
  }

  /// Notes that a thread was started.
  func began() { count.withLock { $0 += 1 } }

  /// Whether there are more threads than those that stay.
  var hasExtra: Bool { count.withLock { $0 > kept } }

  /// Notes that a thread has had no job for a while.
  ///
  /// - Returns: whether the thread must end. The thread is then no longer counted.
  func mayEnd() -> Bool {
    count.withLock { count in
      guard count > kept else { return false }
      count -= 1
      return true
    }
  }
}
