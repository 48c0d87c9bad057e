import Dispatch

/// What handlers add to that run on one thread, one after another.
final class Sum: @unchecked Sendable {
  // Safe because who measures makes one for one thread.
  private(set) var value = 0

  @inline(__always)
  func add(_ number: Int) { value += number }

  func check(_ expected: Int) {
    guard value == expected else { fatalError("the sum is \(value), not \(expected)") }
  }
}

/// Safe as far as the library's own locks make it so, where its types are not marked as what may be sent.
struct Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

extension DispatchSemaphore {
  /// Waits for what cannot take as long as a minute.
  func waitAMinute() {
    guard wait(timeout: .now() + .seconds(60)) == .success else {
      fatalError("what was to end did not within a minute")
    }
  }
}
