internal import Synchronization

/// The events of one thread: only that thread appends, any thread may read what has been published.
final class EventBuffer: @unchecked Sendable {
  // Safe to share: `tail` belongs to the appending thread alone; `head` does not change while anybody
  // can read; readers walk from there, and chunks publish what they hold with release and acquire.
  private var head: Chunk?
  private(set) var tail: Chunk

  init(capacity: Int) {
    tail = Chunk(capacity: capacity)
    head = tail
  }

  /// How much the next chunk should hold: it grows with the buffer, so that a thread that says little
  /// costs little; but stays below what `malloc` takes fresh from the system, which would have every
  /// page of it fault.
  var nextCapacity: Int { min(tail.capacity * 2, 1024) }

  func grow(by capacity: Int) {
    tail = tail.next.storeIfNil(Chunk(capacity: capacity))
  }

  /// How far somebody has read: in which chunk, counted from the front, and how much of it.
  struct Cursor: Sendable {
    var chunk = 0
    var position = 0
  }

  /// Everything published since, in the order it was appended.
  ///
  /// - Complexity: O(n) in the number of chunks and of new entries.
  func read(from cursor: inout Cursor, into entries: inout [Entry]) {
    var chunk = head
    for _ in 0..<cursor.chunk { chunk = chunk?.next.load() }
    while let current = chunk {
      cursor.position = current.read(from: cursor.position, into: &entries)
      // A chunk is followed only when it is full.
      guard cursor.position == current.capacity, let next = current.next.load() else { return }
      cursor = Cursor(chunk: cursor.chunk + 1)
      chunk = next
    }
  }

  deinit {
    // From the front, each while the list still owns the next: the chain may be longer than a stack is
    // deep.
    var chunks: [Chunk] = []
    var chunk = head
    while let current = chunk {
      chunks.append(current)
      chunk = current.next.load()
    }
    chunk = nil
    head = nil
    chunks.reverse()
    while !chunks.isEmpty { chunks.removeLast() }
  }

  /// An event and when it was recorded relative to the recorder's others, where that is counted.
  struct Entry {
    var event: TraceEvent
    var sequence: UInt64
  }

  /// A stretch of memory that never moves, so that it can be read while it is being filled.
  final class Chunk: @unchecked Sendable {
    // Safe to share: an entry is written once, by the appending thread, before `count` publishes it,
    // and never changed after.
    let capacity: Int
    let next = AtomicLazyReference<Chunk>()
    let entries: UnsafeMutablePointer<Entry>
    let count: UnsafeMutablePointer<Atomic<Int>>

    init(capacity: Int) {
      self.capacity = capacity
      entries = .allocate(capacity: capacity)
      count = .allocate(capacity: 1)
      count.initialize(to: Atomic(0))
    }

    deinit {
      entries.deinitialize(count: count.pointee.load(ordering: .acquiring))
      entries.deallocate()
      count.deinitialize(count: 1)
      count.deallocate()
    }

    /// - Returns: how many have been published.
    func read(from position: Int, into target: inout [Entry]) -> Int {
      let published = count.pointee.load(ordering: .acquiring)
      target.append(
        contentsOf: UnsafeBufferPointer(start: entries + position, count: published - position))
      return published
    }
  }
}
