internal import CPrefetch
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Items that have ended and that nobody knows any more, kept for those who enqueue: what one thread allocates
/// and another one frees is what an allocator is slowest at.
///
/// Each thread has a magazine of its own, which it fills as it ends items and empties as it enqueues some; full
/// ones go through a depot from those who drain to those who enqueue (J. Bonwick, J. Adams, "Magazines and
/// Vmem", USENIX 2001). Nobody waits for anybody: what finds no room in the depot is freed.
///
/// A thread keeps no more than `capacity` items, the depot as many magazines as it has slots, and a queue none
/// at all.
struct SpareItems {
  /// Items one after another, each kept and leading to the next one.
  private struct Magazine {
    var first: Unmanaged<QueuedItem>?
    var count = 0
    /// How often it is not worth while to look into the depot, which was empty.
    var absence = 0

    /// How many items make a full one.
    static var capacity: Int { 64 }

    @inline(__always)
    mutating func take() -> Unmanaged<QueuedItem>? {
      guard let item = first else { return nil }
      first = item._withUnsafeGuaranteedRef { $0.following }
      count -= 1
      return item
    }

    @inline(__always)
    mutating func put(_ item: Unmanaged<QueuedItem>) {
      item._withUnsafeGuaranteedRef { $0.following = first }
      first = item
      count += 1
    }
  }

  // A pointer and no object: it is asked for at each item.
  private let magazine: UnsafeMutablePointer<Magazine>

  /// Those of the calling thread, only for use on it.
  static var ofThread: SpareItems {
    @inline(__always) get {
      if let existing = pthread_getspecific(key) {
        return SpareItems(magazine: existing.assumingMemoryBound(to: Magazine.self))
      }
      return makeForThread()
    }
  }

  @inline(never)
  private static func makeForThread() -> SpareItems {
    let magazine = UnsafeMutablePointer<Magazine>.allocate(capacity: 1)
    magazine.initialize(to: Magazine())
    pthread_setspecific(key, magazine)
    return SpareItems(magazine: magazine)
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { storage in
      guard let storage: UnsafeMutableRawPointer = storage else { return }
      let magazine = storage.assumingMemoryBound(to: Magazine.self)
      SpareItems(magazine: magazine).releaseAll()
      magazine.deinitialize(count: 1)
      magazine.deallocate()
    }
    return key
  }()

  /// Takes one, which the caller keeps from now on.
  @inline(__always)
  func take() -> Unmanaged<QueuedItem>? {
    guard let item = magazine.pointee.take() else { return reload() }
    if let next = magazine.pointee.first { prefetch_for_writing(next.toOpaque()) }
    return item
  }

  /// Keeps an item that only the caller knows, and that the caller has kept so far.
  @inline(__always)
  func put(_ item: Unmanaged<QueuedItem>) {
    if magazine.pointee.count == Magazine.capacity, !unload() { return item.release() }
    magazine.pointee.put(item)
  }

  private func releaseAll() {
    while let item = magazine.pointee.take() { item.release() }
  }

  @inline(never)
  private func reload() -> Unmanaged<QueuedItem>? {
    guard magazine.pointee.absence == 0 else {
      magazine.pointee.absence -= 1
      return nil
    }
    guard let first = Depot.shared.take() else {
      magazine.pointee.absence = Magazine.capacity
      return nil
    }
    magazine.pointee = Magazine(first: first, count: Magazine.capacity)
    return magazine.pointee.take()
  }

  /// - Returns: false if there is no room in the depot.
  @inline(never)
  private func unload() -> Bool {
    guard let first = magazine.pointee.first, Depot.shared.put(first) else { return false }
    magazine.pointee = Magazine()
    return true
  }
}

extension SpareItems {
  /// Full magazines, each as its first item. One changes hands as a whole, so no item can come back while
  /// somebody still looks at it.
  private final class Depot: @unchecked Sendable {
    // Safe to share: the pointer never changes, and what it leads to is atomic.
    private let slots: UnsafeMutablePointer<Atomic<UInt>>

    private static let slotCount = 16

    static let shared = Depot()

    private init() {
      slots = .allocate(capacity: Self.slotCount)
      for index in 0..<Self.slotCount { (slots + index).initialize(to: Atomic(0)) }
    }

    func take() -> Unmanaged<QueuedItem>? {
      for index in 0..<Self.slotCount where slots[index].load(ordering: .relaxed) != 0 {
        let address = slots[index].exchange(0, ordering: .acquiring)
        if address != 0 { return Unmanaged(address: address) }
      }
      return nil
    }

    /// - Returns: false if there is no room.
    func put(_ first: Unmanaged<QueuedItem>) -> Bool {
      for index in 0..<Self.slotCount where slots[index].load(ordering: .relaxed) == 0 {
        if slots[index].compareExchange(expected: 0, desired: first.address, ordering: .releasing)
          .exchanged
        {
          return true
        }
      }
      return false
    }
  }
}
