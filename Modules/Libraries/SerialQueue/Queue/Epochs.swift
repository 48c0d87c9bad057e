internal import DequeModule

/// Which of those who wait for everything that was enqueued before them have waited long enough.
///
/// Whoever begins to wait closes the current epoch: later items belong to the next one. An epoch is over
/// when it and all before it have no open item; so an item that ends costs one subtraction, whatever
/// the order in which items end, and however many wait.
struct Epochs<Waiter> {
  private struct Epoch {
    var openCount: Int
    var waiters: [Waiter]
  }

  private var closed: Deque<Epoch> = []
  /// The number of the current epoch.
  private(set) var current: UInt32 = 0
  /// The items of the current epoch that have not ended.
  private var openCount = 0

  /// Whether nobody waits; then all open items belong to the current epoch.
  var isOrdinary: Bool { closed.isEmpty }

  /// An item of the current epoch has ended.
  @inline(__always)
  mutating func closeOrdinary() { openCount -= 1 }

  mutating func open(_ count: Int) { openCount += count }

  /// Keeps `waiter` until all that is open now has ended.
  ///
  /// - Returns: whether nothing is open; then it is not kept.
  mutating func wait(_ waiter: Waiter) -> Bool {
    if openCount > 0 {
      closed.append(Epoch(openCount: openCount, waiters: [waiter]))
      current &+= 1
      openCount = 0
    } else if closed.isEmpty {
      return true
    } else {
      closed[closed.count - 1].waiters.append(waiter)
    }
    return false
  }

  /// An item of the epoch `number` has ended.
  ///
  /// - Returns: those who have waited long enough, in the order in which they came.
  mutating func close(_ number: UInt32) -> [Waiter] {
    guard number != current else {
      openCount -= 1
      return []
    }
    closed[closed.count - Int(current &- number)].openCount -= 1
    var released: [Waiter] = []
    while let first = closed.first, first.openCount == 0 {
      released += first.waiters
      closed.removeFirst()
    }
    return released
  }
}
