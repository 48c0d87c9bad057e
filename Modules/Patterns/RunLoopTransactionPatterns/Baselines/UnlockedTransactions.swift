import AsyncPatterns
import RunLoopTransaction

/// The way of YYTransaction: a set of what is to be done at the end of the run loop's turn, which nothing guards,
/// nobody orders, and for which nobody wakes the loop.
///
/// What a lock is missing for is shown as what it loses: each commit reads the set, and writes back what it
/// has made of it. The real one may crash as well.
final class UnlockedTransactions: Sendable {
  struct Entry: Sendable {
    let target: any AnyObject & Sendable
    let key: String
    let perform: @Sendable () -> Void

    func isEqual(to other: Entry) -> Bool { target === other.target && key == other.key }
  }

  private let runtime: any Runtime
  // The lock is the machine's, so that no memory is torn; it makes no commit whole.
  private let set = Locked<[Entry]>([])
  private let observer = Locked<(any Cancellable)?>(nil)
  private let didFlush: @Sendable () -> Void

  /// - Parameter didFlush: called when the set is swapped for an empty one.
  init(order: Int, runtime: any Runtime, didFlush: @escaping @Sendable () -> Void) {
    self.runtime = runtime
    self.didFlush = didFlush
    let action = runtime.atEndOfTurn(order: order) { [weak self] in self?.flush() }
    observer.withLock { $0 = action }
  }

  func commit(_ entry: Entry) {
    let before = set.withLock { $0 }
    // Here another thread may be doing the same.
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

  /// Nothing more comes.
  func stop() {
    let action = observer.withLock { observer in
      defer { observer = nil }
      return observer
    }
    action?.cancel()
  }
}
