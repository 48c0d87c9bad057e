internal import Synchronization

/// Where items wait that nobody has looked at yet: any number of threads put some in, without a lock;
/// one at a time takes all there are.
///
/// A stack of Treiber's (Systems programming: coping with parallelism, IBM RJ 5118, 1986). Since what
/// is in it is only ever taken as a whole, an item that comes back at the same address does no harm.
///
/// It also knows whether somebody is going to look: whoever puts the first item into an intake where
/// nobody is has to see to it, and all others need not care.
final class ItemIntake: Sendable {
  /// `asleep`, `awake`, or the address of the item that came last.
  private let top = Atomic<UInt>(asleep)

  /// Nobody is going to look unless told.
  private static let asleep: UInt = 0
  /// Somebody is going to look.
  private static let awake: UInt = 1

  deinit { ItemChain(newest: Self.address(top.load(ordering: .acquiring))).release() }

  /// Puts an item in, and keeps it.
  ///
  /// - Returns: whether the caller is to see to it that somebody looks.
  /// - Complexity: O(1), without a lock; among *n* who do so at once, some may have to try *n* times.
  func push(_ item: QueuedItem) -> Bool {
    let new = Unmanaged.passRetained(item)
    let address = UInt(bitPattern: new.toOpaque())
    var old = top.load(ordering: .relaxed)
    while true {
      item.next = Self.address(old)
      let (isExchanged, found) = top.weakCompareExchange(
        expected: old, desired: address, successOrdering: .releasing, failureOrdering: .relaxed)
      if isExchanged { return old == Self.asleep }
      old = found
    }
  }

  /// Takes all that is in, if something is. The caller is going to look again, or puts it to sleep.
  func takeAll() -> ItemChain? {
    guard Self.address(top.load(ordering: .relaxed)) != nil else { return nil }
    return ItemChain(newest: Self.address(top.exchange(Self.awake, ordering: .acquiring)))
  }

  /// From now on nobody is going to look unless told.
  ///
  /// - Returns: false if something is in; then nothing changes.
  func fallAsleep() -> Bool {
    let (isExchanged, found) = top.compareExchange(
      expected: Self.awake, desired: Self.asleep, ordering: .relaxed)
    return isExchanged || found == Self.asleep
  }

  private static func address(_ value: UInt) -> Unmanaged<QueuedItem>? {
    guard value > awake, let pointer = UnsafeRawPointer(bitPattern: value) else { return nil }
    return Unmanaged.fromOpaque(pointer)
  }
}

/// Items as they came out of the intake: each leads to the one that came before it, and each is kept by
/// the chain.
struct ItemChain {
  var newest: Unmanaged<QueuedItem>?

  /// Takes the one that came last.
  mutating func pop() -> Unmanaged<QueuedItem>? {
    guard let item = newest else { return nil }
    newest = item._withUnsafeGuaranteedRef { item in
      defer { item.next = nil }
      return item.next
    }
    return item
  }

  /// Lets go of all, one after another, so that a long chain needs no stack.
  consuming func release() {
    while let item = pop() { item.release() }
  }
}
