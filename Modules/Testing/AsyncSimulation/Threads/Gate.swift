#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A gate at which one thread waits until another opens it. It closes behind the thread that waited.
struct Gate: @unchecked Sendable {
  // Safe to share: the mutex guards whether the gate is open.
  private struct Primitives {
    var mutex: pthread_mutex_t
    var condition: pthread_cond_t
  }

  /// Whether the gate is open, followed in the same memory block by the mutex and the condition that guard it.
  private final class Storage: ManagedBuffer<Bool, Primitives> {
    deinit {
      withUnsafeMutablePointerToElements { primitives in
        _ = pthread_cond_destroy(&primitives.pointee.condition)
        _ = pthread_mutex_destroy(&primitives.pointee.mutex)
      }
    }
  }

  private let storage: ManagedBuffer<Bool, Primitives>

  init() {
    storage = Storage.create(minimumCapacity: 1) { storage in
      storage.withUnsafeMutablePointerToElements { primitives in
        _ = pthread_mutex_init(&primitives.pointee.mutex, nil)
        _ = pthread_cond_init(&primitives.pointee.condition, nil)
      }
      return false
    }
  }

  func open() {
    withLock { isOpen, primitives in
      isOpen.pointee = true
      // Signalled before the lock is released: the waiting thread may release the gate as soon as it has the lock.
      pthread_cond_signal(&primitives.pointee.condition)
    }
  }

  func wait() {
    withLock { isOpen, primitives in
      while !isOpen.pointee {
        pthread_cond_wait(&primitives.pointee.condition, &primitives.pointee.mutex)
      }
      isOpen.pointee = false
    }
  }

  /// Waits until the gate opens, but no longer than `milliseconds` of real time.
  ///
  /// - Returns: whether it opened.
  func wait(milliseconds: Int) -> Bool {
    var deadline = timespec()
    clock_gettime(CLOCK_REALTIME, &deadline)
    deadline.tv_nsec += milliseconds % 1000 * 1_000_000
    deadline.tv_sec += milliseconds / 1000 + deadline.tv_nsec / 1_000_000_000
    deadline.tv_nsec %= 1_000_000_000
    return withLock { isOpen, primitives in
      while !isOpen.pointee {
        let error = pthread_cond_timedwait(
          &primitives.pointee.condition, &primitives.pointee.mutex, &deadline)
        if error == ETIMEDOUT { break }
      }
      defer { isOpen.pointee = false }
      return isOpen.pointee
    }
  }

  /// Passes pointers to `body`, since other threads change the values while this thread waits.
  private func withLock<Result>(
    _ body: (UnsafeMutablePointer<Bool>, UnsafeMutablePointer<Primitives>) -> Result
  ) -> Result {
    storage.withUnsafeMutablePointers { isOpen, primitives in
      pthread_mutex_lock(&primitives.pointee.mutex)
      defer { pthread_mutex_unlock(&primitives.pointee.mutex) }
      return body(isOpen, primitives)
    }
  }
}
