internal import Synchronization

/// The events of one thread. Only that thread appends; any thread may read what has been published.
final class EventBuffer: @unchecked Sendable {
  // Safe to share: only the appending thread uses `tail`, and `head` does not change while any thread can read. Readers
  // walk the list from `head`. Chunks publish their events with release and acquire.
  private var head: Chunk?
  private(set) var tail: Chunk
  /// The number of chunks that a reader may read. A reader loads this number once, so that its reading ends even if the
  /// thread keeps appending.
  private let chunkCount = Atomic<Int>(1)

  init(capacity: Int) {
    tail = Chunk(capacity: capacity)
    head = tail
  }

  /// The number of events for which the next chunk has room. It grows with the buffer, so that a thread with few events
  /// costs little. The chunk stays below the size from which `malloc` takes new memory from the system. Every page of
  /// such memory costs a page fault.
  var nextCapacity: Int { min(tail.capacity * 2, 1024) }

  /// Gives up the room for events that is left, because larger events have used its memory.
  ///
  /// - Returns: the number of these events.
  func takeRoomLeft() -> Int { tail.contents.pointee.eventsLeft.exchange(0, ordering: .relaxed) }

  func grow(by capacity: Int) {
    tail = tail.next.storeIfNil(Chunk(capacity: capacity))
    chunkCount.add(1, ordering: .releasing)
  }

  /// A reading position: the number of the chunk, counted from the front, and the position in it, in bytes.
  struct Cursor: Sendable {
    var chunk = 0
    var position = 0
  }

  /// Reads everything published since `cursor`, in the order in which it was appended, and advances `cursor`. The
  /// events are not copied: they stay valid as long as this buffer.
  ///
  /// Chunks that are appended meanwhile are left for the next call.
  ///
  /// - Complexity: O(n) in the number of chunks and of new events.
  func read(from cursor: inout Cursor, into events: inout StoredEvents) {
    let chunks = chunkCount.load(ordering: .acquiring)
    var chunk = head
    for _ in 0..<cursor.chunk { chunk = chunk?.next.load() }
    while let current = chunk {
      // A chunk has a successor only when its last event has been published.
      let next = cursor.chunk + 1 < chunks ? current.next.load() : nil
      cursor.position = current.read(from: cursor.position, into: &events)
      guard let next else { return }
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

  /// A block of memory that never moves, so that it can be read while it is being filled.
  final class Chunk: @unchecked Sendable {
    // Safe to share: the appending thread writes each event once, before `contents` publishes it. Events never change
    // after that.
    /// The number of events for which it has room, if most of them are small.
    let capacity: Int
    /// The size of the memory in bytes.
    let size: Int
    let next = AtomicLazyReference<Chunk>()
    let memory: UnsafeMutableRawPointer
    let contents: UnsafeMutablePointer<Contents>

    struct Contents: ~Copyable {
      /// The number of bytes with published events.
      let size = Atomic<Int>(0)
      /// The number of events for which there is still room. Only the appending thread uses it. It is atomic, because
      /// changing a plain number here would count as an access to the whole structure.
      let eventsLeft: Atomic<Int>

      init(capacity: Int) { eventsLeft = Atomic(capacity) }
    }

    init(capacity: Int) {
      self.capacity = capacity
      size = max(capacity * StoredEvent.usualSize, StoredEvent.largestSize)
      memory = .allocate(byteCount: size, alignment: MemoryLayout<UInt64>.alignment)
      contents = .allocate(capacity: 1)
      contents.initialize(to: Contents(capacity: capacity))
    }

    deinit {
      visit(from: 0) { StoredEvent(at: memory + $0).destroy() }
      memory.deallocate()
      contents.deinitialize(count: 1)
      contents.deallocate()
    }

    /// - Returns: the end of the published events.
    func read(from position: Int, into list: inout StoredEvents) -> Int {
      list.add(chunk: memory)
      return visit(from: position) { list.append(at: $0) }
    }

    /// Calls `body` with the offset of each published event.
    @discardableResult
    private func visit(from position: Int, _ body: (Int) -> Void) -> Int {
      let end = contents.pointee.size.load(ordering: .acquiring)
      var position = position
      while position < end {
        let offset = position
        position += StoredEvent(at: memory + offset).size
        body(offset)
      }
      return end
    }
  }
}
