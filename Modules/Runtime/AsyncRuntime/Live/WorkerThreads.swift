/// How many threads some workers have between them, and how many of these stay for ever.
final class WorkerThreads: Sendable {
  private let count = Locked(0)
  /// So many stay whether or not there is something to do.
  private let kept: Int
  /// How many seconds one that is too many stays without anything to do.
  let patience: Double

  init(keeping kept: Int, patience: Duration) {
    self.kept = kept
    self.patience = patience / .seconds(1)
  }

  /// There is one more.
  func began() { count.withLock { $0 += 1 } }

  /// One has had nothing to do for a while.
  ///
  /// - Returns: whether it is to end, and is not counted any more.
  func mayEnd() -> Bool {
    count.withLock { count in
      guard count > kept else { return false }
      count -= 1
      return true
    }
  }
}
