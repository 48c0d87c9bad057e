import Foundation

/// A value that only one thread at a time can access.
final class Protected<Value>: @unchecked Sendable {
  // Safe: the value is only accessed under the lock.
  private let lock = NSLock()
  private var value: Value

  init(_ value: sending Value) { self.value = value }

  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body(&value)
  }
}
