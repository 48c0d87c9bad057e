internal import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The place where a thread appends its next event: a buffer of the recorder that it last recorded to.
///
/// It is a plain structure behind a thread-specific pointer, because every recorded event uses this path.
struct RecordingThread {
  let identity = RecordingThread.identities.add(1, ordering: .relaxed).newValue
  /// The identity of the recorder that owns the memory behind the pointers. It is unique in the process. The identity
  /// of a released recorder therefore never matches again, and its memory is never touched.
  private(set) var recorder: UInt64 = 0
  private var position = 0
  private var capacity = 0
  private var entries: UnsafeMutablePointer<EventBuffer.Entry>?
  private var count: UnsafeMutablePointer<Atomic<Int>>?

  private static let identities = Atomic<UInt64>(0)

  var isFull: Bool { position == capacity }

  /// Continues at the end of `buffer`.
  mutating func enter(_ buffer: EventBuffer, of recorder: UInt64) {
    let chunk = buffer.tail
    self.recorder = recorder
    position = chunk.count.pointee.load(ordering: .relaxed)
    capacity = chunk.capacity
    entries = chunk.entries
    count = chunk.count
  }

  /// The place of the next entry. Nil if there is no room, or if this thread last recorded to another recorder.
  @inline(__always)
  func place(for recorder: UInt64) -> UnsafeMutablePointer<EventBuffer.Entry>? {
    guard self.recorder == recorder, position < capacity, let entries else { return nil }
    return entries + position
  }

  /// Lets other threads see the entry that was written to the current place.
  @inline(__always)
  mutating func publish() {
    position += 1
    count?.pointee.store(position, ordering: .releasing)
  }

  @inline(__always)
  static func current(_ key: pthread_key_t) -> UnsafeMutablePointer<RecordingThread> {
    if let existing = pthread_getspecific(key) {
      return existing.assumingMemoryBound(to: RecordingThread.self)
    }
    return make(key)
  }

  private static func make(_ key: pthread_key_t) -> UnsafeMutablePointer<RecordingThread> {
    let thread = UnsafeMutablePointer<RecordingThread>.allocate(capacity: 1)
    thread.initialize(to: RecordingThread())
    pthread_setspecific(key, thread)
    return thread
  }

  static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { thread in
      let thread: UnsafeMutableRawPointer? = thread
      thread?.deallocate()
    }
    return key
  }()
}
