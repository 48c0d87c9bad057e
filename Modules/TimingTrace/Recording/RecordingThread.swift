internal import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a thread remembers of the recorder it recorded to last.
final class RecordingThread {
  let identity = RecordingThread.identities.add(1, ordering: .relaxed).newValue
  /// The identity of the recorder that owns `buffer`. No two recorders of a process share one, so that
  /// of a recorder that is gone never matches again and its buffer is never touched.
  var recorder: UInt64 = 0
  var buffer: Unmanaged<EventBuffer>?

  private static let identities = Atomic<UInt64>(0)

  static var current: RecordingThread {
    if let existing = pthread_getspecific(key) {
      return Unmanaged<RecordingThread>.fromOpaque(existing).takeUnretainedValue()
    }
    let thread = RecordingThread()
    pthread_setspecific(key, Unmanaged.passRetained(thread).toOpaque())
    return thread
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { thread in
      guard let thread: UnsafeMutableRawPointer = thread else { return }
      Unmanaged<RecordingThread>.fromOpaque(thread).release()
    }
    return key
  }()
}
