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
  /// Where the next event is stored in the memory, in bytes.
  private var position = 0
  /// The last position with room for the largest event; negative if there is no room for another event.
  private var lastPosition = -1
  private var memory: UnsafeMutableRawPointer?
  private var contents: UnsafeMutablePointer<EventBuffer.Chunk.Contents>?

  private static let identities = Atomic<UInt64>(0)

  var isFull: Bool { position > lastPosition }

  /// Continues at the end of `buffer`.
  mutating func enter(_ buffer: EventBuffer, of recorder: UInt64) {
    let chunk = buffer.tail
    self.recorder = recorder
    position = chunk.contents.pointee.size.load(ordering: .relaxed)
    let isFull = chunk.contents.pointee.eventsLeft.load(ordering: .relaxed) == 0
    lastPosition = isFull ? -1 : chunk.size - StoredEvent.largestSize
    memory = chunk.memory
    contents = chunk.contents
  }

  /// The place of the next event. Nil if there is no room, or if this thread last recorded to another recorder.
  @inline(__always)
  func place(for recorder: UInt64) -> UnsafeMutableRawPointer? {
    guard self.recorder == recorder, position <= lastPosition, let memory else { return nil }
    return memory + position
  }

  /// Lets other threads see the event that was stored at the current place.
  ///
  /// - Parameter size: the number of bytes that it takes.
  @inline(__always)
  mutating func publish(_ size: Int) {
    guard let contents else { return }
    position += size
    let left = contents.pointee.eventsLeft.load(ordering: .relaxed) - 1
    contents.pointee.eventsLeft.store(left, ordering: .relaxed)
    contents.pointee.size.store(position, ordering: .releasing)
    if left == 0 { lastPosition = -1 }
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
