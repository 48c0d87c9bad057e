internal import CPrefetch
internal import Synchronization

/// Where items wait that nobody has looked at yet: any number of threads put some in, without a lock and
/// without waiting for each other; one at a time, the holder of the queue's lock, takes them out in the same
/// order.
///
/// It is the intrusive queue of Dmitry Vyukov ("Intrusive MPSC node-based queue", 1024cores.net), with two
/// things added, so that the taker never waits either: who finds the intake asleep, or a taker
/// who has given up on a link that was about to be made, is told so, and then has to see to it that somebody
/// looks.
final class ItemIntake: @unchecked Sendable {
  // Safe to share: `first` is touched under the lock of the queue only.

  /// The address of the item that came last, and whether the intake is asleep.
  private let last: Atomic<UInt>
  /// Keeps what those write who put items in out of the cache line of what the taker writes.
  private let gap: (UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt) = (0, 0, 0, 0, 0, 0, 0, 0)
  /// What is to be taken next. It can be taken only when it is known what comes after it.
  @exclusivity(unchecked) private var first: Unmanaged<QueuedItem>
  /// Stands in when there is nothing else, so that there is always something to link to.
  private let stub: QueuedItem

  /// In `last`: nobody is going to look unless told.
  private static let asleep: UInt = 1

  init() {
    stub = QueuedItem(.plain, site: SourceSite(file: #fileID, line: #line))
    first = .passUnretained(stub)
    last = Atomic(first.address | Self.asleep)
  }

  deinit {
    while let item = pop() { item.release() }
  }

  /// Puts an item in, and keeps it.
  ///
  /// - Returns: whether the caller is to see to it that somebody looks.
  /// - Complexity: O(1)
  @inline(__always)
  func push(_ item: QueuedItem) -> Bool { push(Unmanaged.passRetained(item)) }

  @inline(__always)
  private func push(_ item: Unmanaged<QueuedItem>) -> Bool { link(item, behind: announce(item)) }

  /// The first half of putting an item in, which decides where it stands. Until the other half, neither it
  /// nor what comes after it can be taken.
  ///
  /// - Returns: what came before it.
  @inline(__always)
  func announce(_ item: Unmanaged<QueuedItem>) -> UInt {
    last.exchange(item.address, ordering: .acquiringAndReleasing)
  }

  /// The other half.
  ///
  /// - Returns: as `push`.
  @inline(__always)
  func link(_ item: Unmanaged<QueuedItem>, behind old: UInt) -> Bool {
    let previous = Unmanaged<QueuedItem>(address: old & ~Self.asleep)
    return previous._withUnsafeGuaranteedRef { $0.link(to: item) } || old & Self.asleep != 0
  }

  /// What there is of an item that cannot be taken, since somebody is about to link it or one before it.
  enum Reach {
    case empty
    /// That one has linked it meanwhile: take again.
    case more
    /// That one is going to see to it that somebody looks.
    case outOfReach
  }

  /// What `pop` has left. Whoever gets `outOfReach` need not look again.
  func reach() -> Reach {
    if last.load(ordering: .acquiring) & ~Self.asleep == first.address { return .empty }
    return first._withUnsafeGuaranteedRef { $0.giveUpOnLink() } ? .outOfReach : .more
  }

  /// Takes the item that came first. The caller keeps it from now on, and is going to look again, or
  /// puts the intake to sleep.
  ///
  /// - Returns: nil if there is none, or none that it is known of what comes after it.
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

  /// From now on nobody is going to look unless told.
  ///
  /// - Returns: false if there is something to take; then nothing changes.
  func fallAsleep() -> Bool {
    if first.address == Unmanaged.passUnretained(stub).address {
      let (isExchanged, found) = last.compareExchange(
        expected: first.address, desired: first.address | Self.asleep,
        ordering: .acquiringAndReleasing)
      if isExchanged || found == first.address | Self.asleep { return true }
    }
    // Somebody has put something in. If it is not linked, whoever links it is to tell.
    return first._withUnsafeGuaranteedRef { $0.giveUpOnLink() }
  }
}

extension Unmanaged<QueuedItem> {
  var address: UInt { UInt(bitPattern: toOpaque()) }

  /// Whether nobody else keeps it.
  @inline(__always)
  mutating func isUniquelyReferenced() -> Bool {
    withUnsafeMutablePointer(to: &self) { pointer in
      pointer.withMemoryRebound(to: QueuedItem.self, capacity: 1) {
        isKnownUniquelyReferenced(&$0.pointee)
      }
    }
  }

  /// - Parameter address: that of an item.
  init(address: UInt) {
    self = .fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
  }
}

extension QueuedItem {
  private static var givenUp: UInt { 1 }

  /// What comes after it, if that is known.
  @inline(__always)
  fileprivate final var linked: Unmanaged<QueuedItem>? {
    let address = next.load(ordering: .acquiring)
    return address > Self.givenUp ? Unmanaged(address: address) : nil
  }

  /// - Returns: whether somebody has given up on the link.
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
