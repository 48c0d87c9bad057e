import Dispatch

/// Uploads one after another, each with a completion handler.
final class Uploads: @unchecked Sendable {
  private let queue = DispatchQueue(label: "uploads")
  private var semaphore = DispatchSemaphore(value: 0)

  func add(_ upload: @escaping @Sendable (_ done: @escaping @Sendable () -> Void) -> Void) {
    queue.async {
      self.semaphore = DispatchSemaphore(value: 0)
      DispatchQueue.global().async { upload { self.semaphore.signal() } }
      self.semaphore.wait()
    }
  }
}
