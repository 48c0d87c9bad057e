internal import AsyncSimulation
import Foundation

/// Identifies a thread, even if a later thread gets the same thread number.
public final class ThreadMark: Sendable {
  private let onEnd = Locked<(@Sendable () -> Void)?>(nil)

  private init() {}

  deinit { onEnd.withLock { $0 }?() }

  /// The mark of the calling thread. The thread releases it when it ends.
  public static var current: ThreadMark {
    if let known = pthread_getspecific(key) {
      return Unmanaged<ThreadMark>.fromOpaque(known).takeUnretainedValue()
    }
    let mark = ThreadMark()
    pthread_setspecific(key, Unmanaged.passRetained(mark).toOpaque())
    return mark
  }

  /// Calls `action` when the thread has ended and the last reference to the mark is gone.
  public func onEnd(_ action: @escaping @Sendable () -> Void) { onEnd.withLock { $0 = action } }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { mark in
      #if canImport(Darwin)
        Unmanaged<ThreadMark>.fromOpaque(mark).release()
      #else
        Unmanaged<ThreadMark>.fromOpaque(mark!).release()
      #endif
    }
    return key
  }()
}
