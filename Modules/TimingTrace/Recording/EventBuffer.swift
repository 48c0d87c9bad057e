internal import Synchronization

/// The events of one thread: only that thread appends, any thread may read what has been published.
final class EventBuffer: @unchecked Sendable {
  // Safe to share: `tail` belongs to the appending thread alone; readers walk from `head`, whose
  // chunks publish what they hold with release and acquire.
  let head: Chunk
  private var tail: Chunk

  init(capacity: Int) {
    head = Chunk(capacity: capacity)
    tail = head
  }

  /// Appends, unless the chunk is full.
  @inline(__always)
  func append(_ event: TraceEvent, sequence: UInt64) -> Bool {
    tail.append(event, sequence: sequence)
  }

  /// How much the next chunk should hold: it grows with the buffer, so that a thread that says little
  /// costs little.
  var nextCapacity: Int { min(tail.capacity * 2, 8192) }

  func grow(by capacity: Int) {
    tail = tail.next.storeIfNil(Chunk(capacity: capacity))
  }

  /// Everything published so far, in the order it was appended.
  func read(into entries: inout [Entry]) {
    var chunk: Chunk? = head
    while let current = chunk {
      current.read(into: &entries)
      chunk = current.next.load()
    }
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
    private let count = Atomic<Int>(0)
    private let entries: UnsafeMutablePointer<Entry>

    init(capacity: Int) {
      self.capacity = capacity
      entries = .allocate(capacity: capacity)
    }

    deinit {
      entries.deinitialize(count: count.load(ordering: .acquiring))
      entries.deallocate()
    }

    @inline(__always)
    func append(_ event: TraceEvent, sequence: UInt64) -> Bool {
      let position = count.load(ordering: .relaxed)
      guard position < capacity else { return false }
      (entries + position).initialize(to: Entry(event: event, sequence: sequence))
      count.store(position + 1, ordering: .releasing)
      return true
    }

    func read(into target: inout [Entry]) {
      let published = count.load(ordering: .acquiring)
      target.append(contentsOf: UnsafeBufferPointer(start: entries, count: published))
    }
  }
}
