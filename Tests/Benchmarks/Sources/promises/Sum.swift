import Dispatch

/// A sum for handlers that run on one thread, one after another.
final class Sum: @unchecked Sendable {
  // Safe to share: each measurement makes a sum for one thread.
  private(set) var value = 0

  @inline(__always)
  func add(_ number: Int) { value += number }

  func check(_ expected: Int) {
    guard value == expected else { fatalError("the sum is \(value), not \(expected)") }
  }
}

/// Wraps a value of a library whose types are not marked `Sendable`. It is safe if the locks of that library make it
/// safe.
struct Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

extension DispatchSemaphore {
  /// Waits for something that must take less than a minute.
  func waitAMinute() {
    guard wait(timeout: .now() + .seconds(60)) == .success else {
      fatalError("the work did not end within a minute")
    }
  }
}
