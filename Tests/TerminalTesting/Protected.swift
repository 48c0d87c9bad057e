import Foundation

/// A value that only one thread at a time gets at.
final class Protected<Value>: @unchecked Sendable {
  // Safe: the value is reached under the lock alone.
  private let lock = NSLock()
  private var value: Value

  init(_ value: sending Value) { self.value = value }

  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body(&value)
  }
}
