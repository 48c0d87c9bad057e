import AsyncPatterns
import RunLoopTransaction

/// Transactions as in YYTransaction: a set of actions for the end of the run loop's turn. The set has no lock and no
/// order, and a commit does not wake the loop.
///
/// Without a lock, commits can be lost: each commit reads the set, and writes back a changed copy. The original may
/// also crash.
final class UnlockedTransactions: Sendable {
  struct Entry: Sendable {
    let target: any AnyObject & Sendable
    let key: String
    let perform: @Sendable () -> Void

    func isEqual(to other: Entry) -> Bool { target === other.target && key == other.key }
  }

  private let runtime: any Runtime
  // This lock only prevents torn reads and writes; it does not make a commit atomic.
  private let set = Locked<[Entry]>([])
  private let observer = Locked<(any Cancellable)?>(nil)
  private let didFlush: @Sendable () -> Void

  /// - Parameter didFlush: called when a set with actions is replaced by an empty one.
  init(order: Int, runtime: any Runtime, didFlush: @escaping @Sendable () -> Void) {
    self.runtime = runtime
    self.didFlush = didFlush
    let action = runtime.atEndOfTurn(order: order) { [weak self] in self?.flush() }
    observer.withLock { $0 = action }
  }

  func commit(_ entry: Entry) {
    let before = set.withLock { $0 }
    // Another thread may commit at this point.
    if runtime.choose(2) == 1 { runtime.work(for: .zero) }
    guard !before.contains(where: { $0.isEqual(to: entry) }) else { return }
    set.withLock { $0 = before + [entry] }
  }

  private func flush() {
    var entries = set.withLock { set in
      defer { set = [] }
      return set
    }
    guard !entries.isEmpty else { return }
    didFlush()
    // A set has no order.
    while !entries.isEmpty { entries.remove(at: runtime.choose(entries.count)).perform() }
  }

  /// Removes the observer. From then on, nothing is performed.
  func stop() {
    let action = observer.withLock { observer in
      defer { observer = nil }
      return observer
    }
    action?.cancel()
  }
}
