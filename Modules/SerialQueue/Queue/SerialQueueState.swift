internal import DequeModule

/// What a serial queue knows of its items: which wait, which one runs, and whether somebody is at
/// draining it.
///
/// It decides and does nothing else: each method changes the state and returns what the caller is to do
/// once it has let go of the lock.
///
/// Invariants: the tickets of `pending` rise; `running` is older than all of them; an item waits while
/// nothing runs only if `isDraining`.
struct SerialQueueState<Item: Ticketed, Waiter: Sendable> {
  private var pending: Deque<Item> = []
  private(set) var running: Item?
  private var isDraining = false
  private var lastTicket: UInt64 = 0
  private var waiters: [(through: UInt64, waiter: Waiter)] = []

  var pendingCount: Int { pending.count }
  var isIdle: Bool { running == nil && pending.isEmpty }

  /// - Returns: whether the caller is to see that the queue gets drained.
  mutating func enqueue(_ item: Item) -> Bool {
    lastTicket += 1
    item.ticket = lastTicket
    pending.append(item)
    guard running == nil, !isDraining else { return false }
    isDraining = true
    return true
  }

  /// The item to start; nil if there is nothing to do now, and then the draining is over.
  mutating func next() -> Item? {
    guard running == nil, let item = pending.popFirst() else {
      isDraining = false
      return nil
    }
    running = item
    return item
  }

  /// The item that runs has ended.
  mutating func finish() -> Consequence {
    running = nil
    let drains = !isDraining && !pending.isEmpty
    if drains { isDraining = true }
    return Consequence(drains: drains, waiters: releaseWaiters())
  }

  /// Takes a waiting item out; nil if it no longer waits.
  mutating func remove(ticket: UInt64) -> (item: Item, Consequence)? {
    let index = pending.partitioningIndex { $0.ticket >= ticket }
    guard index < pending.endIndex, pending[index].ticket == ticket else { return nil }
    let item = pending.remove(at: index)
    return (item, Consequence(drains: false, waiters: releaseWaiters()))
  }

  /// Takes all waiting items out.
  mutating func removePending() -> (items: [Item], Consequence) {
    let items = Array(pending)
    pending = []
    return (items, Consequence(drains: false, waiters: releaseWaiters()))
  }

  /// Keeps `waiter` until every item so far has ended.
  ///
  /// - Returns: whether that is so already; then it is not kept.
  mutating func wait(_ waiter: Waiter) -> Bool {
    if isIdle { return true }
    waiters.append((lastTicket, waiter))
    return false
  }

  /// What is to be done after the lock.
  struct Consequence: Sendable {
    /// The caller is to see that the queue gets drained.
    var drains: Bool
    /// These have waited long enough.
    var waiters: [Waiter]
  }

  private mutating func releaseWaiters() -> [Waiter] {
    guard !waiters.isEmpty else { return [] }
    // Waiters come with rising tickets, so those to be released stand at the front.
    let oldest = running?.ticket ?? pending.first?.ticket ?? lastTicket + 1
    let count = waiters.prefix { $0.through < oldest }.count
    defer { waiters.removeFirst(count) }
    return waiters[..<count].map(\.waiter)
  }
}

/// Something with a place in the order in which things were enqueued.
protocol Ticketed: AnyObject, Sendable {
  /// Touched under the lock of the queue only.
  var ticket: UInt64 { get set }
}

extension Deque {
  /// The first index whose element fulfils `predicate`, which holds for all after it as well.
  ///
  /// - Complexity: O(log n)
  fileprivate func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = low + (high - low) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
