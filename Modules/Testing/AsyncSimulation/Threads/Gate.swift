#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where one thread waits until another opens; it closes behind it.
struct Gate: @unchecked Sendable {
  // Safe to share: whether it is open is touched under the mutex only.
  private struct Primitives {
    var mutex: pthread_mutex_t
    var condition: pthread_cond_t
  }

  /// Whether it is open, and behind it in the same piece of memory what guards that.
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
      // Under the lock: the waiter may let go of the gate as soon as it has it.
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

  /// Waits until it opens, but no longer than `milliseconds` of real time; whether it opened.
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

  /// Hands out pointers, since others change what is behind them while one waits.
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
