internal import CPrefetch
internal import Synchronization

/// Holds the items that the queue has not seen yet. Any number of threads add items, without a lock and without waiting
/// for each other. Only the thread that holds the lock of the queue takes items out, in the same order.
///
/// It is the intrusive queue of Dmitry Vyukov ("Intrusive MPSC node-based queue", 1024cores.net) with two additions, so
/// that the consumer never waits either. A producer learns whether the intake was asleep, and whether the consumer has
/// given up on a link that the producer was about to make. In both cases the producer must make sure that the intake is
/// read.
final class ItemIntake: @unchecked Sendable {
  // Safe to share: `first` is accessed only under the lock of the queue.

  /// The address of the item that arrived last, and whether the intake is asleep.
  private let last: Atomic<UInt>
  /// Keeps the memory that producers write out of the cache line that the consumer writes.
  private let gap: (UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt) = (0, 0, 0, 0, 0, 0, 0, 0)
  /// The next item to take. It can be taken only when its successor is known.
  @exclusivity(unchecked) private var first: Unmanaged<QueuedItem>
  /// Takes the place of an item if there is none, so that there is always something to link to.
  private let stub: QueuedItem

  /// A bit of `last`: the consumer will not read the intake until a producer makes sure of it.
  private static let asleep: UInt = 1

  init() {
    stub = QueuedItem(.plain, site: SourceSite(file: #fileID, line: #line))
    first = .passUnretained(stub)
    last = Atomic(first.address | Self.asleep)
  }

  deinit {
    while let item = pop() { item.release() }
  }

  /// Adds an item, and retains it.
  ///
  /// - Returns: whether the caller must make sure that the intake is read.
  /// - Complexity: O(1)
  @inline(__always)
  func push(_ item: QueuedItem) -> Bool { push(Unmanaged.passRetained(item)) }

  @inline(__always)
  private func push(_ item: Unmanaged<QueuedItem>) -> Bool { link(item, behind: announce(item)) }

  /// The first half of adding an item, which decides its position. Until the second half, neither the item nor any item
  /// after it can be taken.
  ///
  /// - Returns: the address of the item before it, and whether the intake was asleep, as in `last`.
  @inline(__always)
  func announce(_ item: Unmanaged<QueuedItem>) -> UInt {
    last.exchange(item.address, ordering: .acquiringAndReleasing)
  }

  /// The second half of adding an item.
  ///
  /// - Returns: the same as `push`.
  @inline(__always)
  func link(_ item: Unmanaged<QueuedItem>, behind old: UInt) -> Bool {
    let previous = Unmanaged<QueuedItem>(address: old & ~Self.asleep)
    return previous._withUnsafeGuaranteedRef { $0.link(to: item) } || old & Self.asleep != 0
  }

  /// Whether `pop` left an item that it could not take, because a producer has yet to link it or an earlier item.
  enum Reach {
    case empty
    /// The producer has linked it in the meantime: take again.
    case more
    /// The producer will make sure that the intake is read.
    case outOfReach
  }

  /// What `pop` has left. After `outOfReach` the caller need not read the intake again.
  func reach() -> Reach {
    if last.load(ordering: .acquiring) & ~Self.asleep == first.address { return .empty }
    return first._withUnsafeGuaranteedRef { $0.giveUpOnLink() } ? .outOfReach : .more
  }

  /// Takes the item that arrived first. The caller owns its reference from now on, and must read the intake again or
  /// put it to sleep.
  ///
  /// - Returns: nil if there is no item, or if the successor of the next one is not known yet.
  @inline(__always)
  func pop() -> Unmanaged<QueuedItem>? {
    if first.address == Unmanaged.passUnretained(stub).address {
      guard let next = stub.linked else { return nil }
      first = next
      stub.unlink()
    }
    let item = first
    if let next = item._withUnsafeGuaranteedRef({ $0.linked }) {
      first = next
      prefetch_for_writing(next.toOpaque())
      item._withUnsafeGuaranteedRef { $0.unlink() }
      return item
    }
    return popLast(item)
  }

  @inline(never)
  private func popLast(_ item: Unmanaged<QueuedItem>) -> Unmanaged<QueuedItem>? {
    guard last.load(ordering: .acquiring) == item.address else { return nil }
    _ = push(Unmanaged.passUnretained(stub))
    guard let next = item._withUnsafeGuaranteedRef({ $0.linked }) else { return nil }
    first = next
    item._withUnsafeGuaranteedRef { $0.unlink() }
    return item
  }

  /// Puts the intake to sleep: the consumer will not read it until a producer makes sure of it.
  ///
  /// - Returns: false if there is an item to take. Then nothing changes.
  func fallAsleep() -> Bool {
    if first.address == Unmanaged.passUnretained(stub).address {
      let (isExchanged, found) = last.compareExchange(
        expected: first.address, desired: first.address | Self.asleep,
        ordering: .acquiringAndReleasing)
      if isExchanged || found == first.address | Self.asleep { return true }
    }
    // A producer has added an item. If it has not linked it yet, it must make sure that the intake is read when it
    // does.
    return first._withUnsafeGuaranteedRef { $0.giveUpOnLink() }
  }
}

extension Unmanaged<QueuedItem> {
  var address: UInt { UInt(bitPattern: toOpaque()) }

  /// Whether nothing else references it.
  @inline(__always)
  mutating func isUniquelyReferenced() -> Bool {
    withUnsafeMutablePointer(to: &self) { pointer in
      pointer.withMemoryRebound(to: QueuedItem.self, capacity: 1) {
        isKnownUniquelyReferenced(&$0.pointee)
      }
    }
  }

  /// - Parameter address: the address of an item.
  init(address: UInt) {
    self = .fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
  }
}

extension QueuedItem {
  private static var givenUp: UInt { 1 }

  /// The item after it, if that is known.
  @inline(__always)
  fileprivate final var linked: Unmanaged<QueuedItem>? {
    let address = next.load(ordering: .acquiring)
    return address > Self.givenUp ? Unmanaged(address: address) : nil
  }

  /// - Returns: whether the consumer has given up on the link.
  @inline(__always)
  fileprivate final func link(to item: Unmanaged<QueuedItem>) -> Bool {
    next.exchange(item.address, ordering: .acquiringAndReleasing) == Self.givenUp
  }

  @inline(__always)
  final func unlink() { next.store(0, ordering: .relaxed) }

  /// - Returns: false if it has been linked.
  fileprivate final func giveUpOnLink() -> Bool {
    let (isExchanged, found) = next.compareExchange(
      expected: 0, desired: Self.givenUp, ordering: .acquiringAndReleasing)
    return isExchanged || found == Self.givenUp
  }
}
