internal import Synchronization

/// The events of one thread. Only that thread appends; any thread may read what has been published.
@usableFromInline final class EventBuffer: @unchecked Sendable {
  // Safe to share: only the appending thread uses `tail`, and `head` does not change while any thread can read. Readers
  // walk the list from `head`. Chunks publish their entries with release and acquire.
  private var head: Chunk?
  private(set) var tail: Chunk
  /// The number of chunks that a reader may read. A reader loads this number once, so that its reading ends even if the
  /// thread keeps appending.
  private let chunkCount = Atomic<Int>(1)

  init(capacity: Int) {
    tail = Chunk(capacity: capacity)
    head = tail
  }

  /// The capacity of the next chunk. It grows with the buffer, so that a thread with few events costs little. It stays
  /// below the size from which `malloc` takes new memory from the system. Every page of such memory costs a page fault.
  var nextCapacity: Int { min(tail.capacity * 2, 1024) }

  func grow(by capacity: Int) {
    tail = tail.next.storeIfNil(Chunk(capacity: capacity))
    chunkCount.add(1, ordering: .releasing)
  }

  /// A reading position: the number of the chunk, counted from the front, and the position in it.
  struct Cursor: Sendable {
    var chunk = 0
    var position = 0
  }

  /// Reads everything published since `cursor`, in the order in which it was appended, and advances `cursor`. The
  /// entries are not copied: they stay valid as long as this buffer.
  ///
  /// Chunks that are appended meanwhile are left for the next call.
  ///
  /// - Complexity: O(n) in the number of chunks and of new entries.
  func read(from cursor: inout Cursor, into entries: inout [UnsafePointer<Entry>]) {
    let chunks = chunkCount.load(ordering: .acquiring)
    var chunk = head
    for _ in 0..<cursor.chunk { chunk = chunk?.next.load() }
    while let current = chunk {
      cursor.position = current.read(from: cursor.position, into: &entries)
      // A chunk has a successor only when it is full.
      guard cursor.position == current.capacity, cursor.chunk + 1 < chunks,
        let next = current.next.load()
      else { return }
      cursor = Cursor(chunk: cursor.chunk + 1)
      chunk = next
    }
  }

  deinit {
    // Releases the chunks one by one. The list may be too long for a recursive release, which would overflow the stack.
    // The array keeps every chunk until its turn, from front to back.
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

  /// An event, and its number in the order of the recorder's events, if the recorder counts its events.
  @usableFromInline struct Entry {
    @usableFromInline var event: TraceEvent
    var sequence: UInt64
  }

  /// A block of memory that never moves, so that it can be read while it is being filled.
  final class Chunk: @unchecked Sendable {
    // Safe to share: the appending thread writes each entry once, before `count` publishes it. Entries never change
    // after that.
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

    /// - Returns: the number of published entries.
    func read(from position: Int, into list: inout [UnsafePointer<Entry>]) -> Int {
      let published = count.pointee.load(ordering: .acquiring)
      list.append(
        contentsOf: (position..<published).lazy.map { [entries] in UnsafePointer(entries + $0) })
      return published
    }
  }
}
