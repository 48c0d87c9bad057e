internal import AsyncSimulation
import Foundation

/// Tells a thread from all others, also from one that has its number when it has gone.
public final class ThreadMark: Sendable {
  private let onEnd = Locked<(@Sendable () -> Void)?>(nil)

  private init() {}

  deinit { onEnd.withLock { $0 }?() }

  /// The one of the calling thread. It is let go of when the thread ends.
  public static var current: ThreadMark {
    if let known = pthread_getspecific(key) {
      return Unmanaged<ThreadMark>.fromOpaque(known).takeUnretainedValue()
    }
    let mark = ThreadMark()
    pthread_setspecific(key, Unmanaged.passRetained(mark).toOpaque())
    return mark
  }

  /// Calls `action` when its thread has ended and nobody holds it.
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
