internal import Synchronization

/// Holds the items that the queue has not seen yet. Any number of threads add items, without a lock and without waiting
/// for each other. Only the thread that holds the lock of the queue takes items out, in the same order.
///
/// It is the intrusive queue of Dmitry Vyukov ("Intrusive MPSC node-based queue", 1024cores.net)
/// with two additions, so that the consumer never waits either. A producer learns whether the
/// intake was asleep. It also learns whether the consumer has stopped waiting for a link that the
/// producer makes. In both cases the producer must make sure that the intake is read.
final class ItemIntake: @unchecked Sendable {
  // Safe to share: `first` is accessed only under the lock of the queue.

  /// The address of the item that arrived last, and whether the intake is asleep.
  private let last: Atomic<UInt>
  /// Keeps the memory that producers write and the memory that the consumer writes in different cache lines.
  private let gap: (UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt) = (0, 0, 0, 0, 0, 0, 0, 0)
  /// The next item to take. It can be taken only when its successor is known.
  @exclusivity(unchecked) private var first: Unmanaged<QueuedItem>
  /// The placeholder in an intake without items, so that there is always something to link to.
  private let stub: QueuedItem

  /// A bit of `last`. If it is set, the consumer no longer reads the intake by itself: the next producer must make sure
  /// that the intake is read.
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
  func push(_ item: QueuedItem) -> Bool {
    let item = Unmanaged.passRetained(item)
    return link(item, behind: announce(item))
  }

  /// Announces an item, which decides its position. Before `link`, neither the item nor any item
  /// after it can be taken.
  ///
  /// - Returns: the address of the item before it, and whether the intake was asleep, in the format
  ///   of `last`.
  @inline(__always)
  func announce(_ item: Unmanaged<QueuedItem>) -> UInt {
    last.exchange(item.address, ordering: .acquiringAndReleasing)
  }

  /// Completes the adding of an item that was announced.
  ///
  /// - Returns: whether the caller must make sure that the intake is read.
  @inline(__always)
  func link(_ item: Unmanaged<QueuedItem>, behind old: UInt) -> Bool {
    let previous = Unmanaged<QueuedItem>(address: old & ~Self.asleep)
    return previous._withUnsafeGuaranteedRef { $0.link(to: item) } || old & Self.asleep != 0
  }

  /// The state of the intake after `pop` has returned nil. `pop` cannot take an item while a
  /// producer has yet to link it or an earlier item.
  enum Reach {
    case empty
    /// A producer has linked an item in the meantime, so `pop` can take it.
    case more
    /// A producer has yet to link an item. When it does, it will make sure that the intake is read.
    case outOfReach
  }

  /// Whether the intake still holds items. After `outOfReach`, the caller need not read the intake again.
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
      item._withUnsafeGuaranteedRef { $0.unlink() }
      return item
    }
    return popLast(item)
  }

  /// Puts the placeholder in the position of the last item. No producer has to link to this item then, so this code
  /// need not link either.
  ///
  /// - Returns: nil if a producer has announced a later item.
  @inline(never)
  private func popLast(_ item: Unmanaged<QueuedItem>) -> Unmanaged<QueuedItem>? {
    // Releasing: the next producer links to the placeholder after its link was cleared.
    let placeholder = Unmanaged.passUnretained(stub)
    let (isExchanged, _) = last.compareExchange(
      expected: item.address, desired: placeholder.address, ordering: .acquiringAndReleasing)
    guard isExchanged else { return nil }
    first = placeholder
    return item
  }

  /// Puts the intake to sleep. The consumer then no longer reads it by itself: the next producer must make sure that it
  /// is read.
  ///
  /// - Returns: false if there is an item to take. Then nothing changes.
  func fallAsleep() -> Bool {
    if first.address == Unmanaged.passUnretained(stub).address {
      let (isExchanged, found) = last.compareExchange(
        expected: first.address, desired: first.address | Self.asleep,
        ordering: .acquiringAndReleasing)
      if isExchanged || found == first.address | Self.asleep { return true }
    }
    // A producer has added an item. If it has not linked the item yet, it must make sure that the
    // intake is read when it does so.
    return first._withUnsafeGuaranteedRef { $0.giveUpOnLink() }
  }
}

extension Unmanaged<QueuedItem> {
  var address: UInt { UInt(bitPattern: toOpaque()) }

  /// Whether there is no other reference to the item.
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

  /// The next item, if it has been linked.
  @inline(__always)
  fileprivate final var linked: Unmanaged<QueuedItem>? {
    let address = next.load(ordering: .acquiring)
    return address > Self.givenUp ? Unmanaged(address: address) : nil
  }

  /// - Returns: whether the consumer has stopped waiting for the link.
  @inline(__always)
  fileprivate final func link(to item: Unmanaged<QueuedItem>) -> Bool {
    next.exchange(item.address, ordering: .acquiringAndReleasing) == Self.givenUp
  }

  @inline(__always)
  final func unlink() { next.store(0, ordering: .relaxed) }

  /// - Returns: false if the next item has been linked.
  fileprivate final func giveUpOnLink() -> Bool {
    let (isExchanged, found) = next.compareExchange(
      expected: 0, desired: Self.givenUp, ordering: .acquiringAndReleasing)
    return isExchanged || found == Self.givenUp
  }
}
