internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Keeps ended items without other references, so that producers can reuse them. Otherwise one
/// thread would allocate each item and another thread would free it, which is the slowest case for
/// an allocator. On two cores, an item of a single producer costs less than half as much as without
/// spare items.
///
/// Each thread has a magazine, which is a short list of items. The thread puts an item in when the
/// item ends, and takes one out when it enqueues work. Threads that drain queues end up with
/// full magazines, and threads that enqueue with empty ones. So full magazines move between threads
/// through a depot (J. Bonwick, J. Adams, "Magazines and Vmem", USENIX 2001). No thread ever waits.
/// If the depot has no room, the full magazine stays with its thread, and further items are freed.
///
/// A thread keeps at most `capacity` items, and the depot one magazine for each of its slots. A
/// queue keeps none.
struct SpareItems {
  /// A list of items. Each is retained, and linked to the next one.
  private struct Magazine {
    var first: Unmanaged<QueuedItem>?
    var count = 0
    /// How many more requests skip the depot, because it was empty.
    var absence = 0

    /// The number of items in a full magazine.
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

  // A pointer rather than an object, since it is read for each item.
  private let magazine: UnsafeMutablePointer<Magazine>

  /// The spare items of the calling thread. Use them only on that thread.
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

  /// Takes an item. The reference passes to the caller.
  @inline(__always)
  func take() -> Unmanaged<QueuedItem>? {
    magazine.pointee.take() ?? reload()
  }

  /// Keeps an item for reuse. The caller passes on its reference, which must be the only one.
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
  /// Holds full magazines, each as the address of its first item. A magazine is moved as a whole.
  /// So an item cannot come back while another thread still reads it.
  private final class Depot: @unchecked Sendable {
    // Safe to share: the pointer never changes, and it points to atomic memory.
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
