internal import DequeModule

/// Keeps waiters that each wait for every item enqueued before them, and finds those whose wait is
/// complete.
///
/// A new waiter closes the current epoch, and later items belong to the next one. An epoch is complete when neither it
/// nor any earlier epoch has an open item. The end of an item therefore costs one subtraction, whatever the order in
/// which items end and however many waiters there are.
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

  /// Whether there are no waiters. If so, all open items belong to the current epoch.
  var isOrdinary: Bool { closed.isEmpty }

  /// An item of the current epoch has ended.
  @inline(__always)
  mutating func closeOrdinary() { openCount -= 1 }

  mutating func open(_ count: Int) { openCount += count }

  /// Keeps `waiter` until all items that are open now have ended.
  ///
  /// - Returns: true if no item is open. In this case the waiter is not kept.
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
  /// - Returns: the waiters whose wait is complete, in the order of their arrival.
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
