/// Counts the references to the context of a function that an exploration calls.
struct Holders {
  private let context: UnsafeMutableRawPointer?
  private let count: UInt

  /// - Parameter context: the context of the function; nil if it captures nothing.
  init(of context: UnsafeMutableRawPointer?) {
    self.context = context
    count = context.map(swiftRetainCount) ?? 0
  }

  /// The object with the captured values of a function; nil if it captures nothing.
  @inline(never)
  static func context(
    of function: @escaping @Sendable () async throws -> Void
  ) -> UnsafeMutableRawPointer? {
    unsafeBitCast(Stored(function: function), to: (UInt, UnsafeMutableRawPointer?).self).1
  }

  /// Holds the function, since the compiler would otherwise wrap the function for generic code.
  private struct Stored {
    let function: @Sendable () async throws -> Void
  }

  /// Releases the references of stalled tasks, which would otherwise hold the context forever.
  func releaseLeft() {
    guard let context else { return }
    let closure = Unmanaged<AnyObject>.fromOpaque(context)
    while swiftRetainCount(context) > count { closure.release() }
  }
}

@_silgen_name("swift_retainCount")
private func swiftRetainCount(_ object: UnsafeMutableRawPointer) -> UInt
