#if canImport(Glibc)
  public import Glibc
#elseif canImport(Darwin)
  public import Darwin
#endif

/// A value protected by a lock: a POSIX mutex, which ThreadSanitizer understands. Copies share the value.
///
/// Make decisions under the lock, and act on them after its release: never call a user's closure inside `withLock`.
@frozen
public struct Locked<Value>: @unchecked Sendable {
  // Safe to share: the value is touched only between lock and unlock of the mutex beside it.
  @usableFromInline let storage: ManagedBuffer<Value, pthread_mutex_t>

  /// Protects `value` with a new lock.
  @inlinable
  public init(_ value: consuming sending Value) {
    storage = LockedStorage<Value>.create(minimumCapacity: 1) { [value] storage in
      storage.withUnsafeMutablePointerToElements { initializeMutex(at: $0) }
      return value
    }
  }

  /// Calls `body` with the value while no other thread can access it.
  @inlinable
  public func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    let (value, mutex) = storage.withUnsafeMutablePointers { ($0, $1) }
    pthread_mutex_lock(mutex)
    defer {
      pthread_mutex_unlock(mutex)
      withExtendedLifetime(storage) {}
    }
    return try body(&value.pointee)
  }
}

/// The value, followed by its mutex in the same allocation.
@usableFromInline
final class LockedStorage<Value>: ManagedBuffer<Value, pthread_mutex_t> {
  @inlinable
  deinit {
    _ = withUnsafeMutablePointerToElements { pthread_mutex_destroy($0) }
  }
}

/// On Linux, a thread that finds the mutex locked tries again for a short time before it sleeps. Most locks are held for
/// less time than it takes to sleep and to be woken.
@usableFromInline
func initializeMutex(at mutex: UnsafeMutablePointer<pthread_mutex_t>) {
  #if canImport(Glibc)
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ADAPTIVE_NP))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
  #else
    pthread_mutex_init(mutex, nil)
  #endif
}
