/// How many hold the function that a test lends to an exploration.
struct Holders {
  private let context: UnsafeMutableRawPointer?
  private let count: UInt

  /// - Parameter context: what the function has captured.
  init(of context: UnsafeMutableRawPointer?) {
    self.context = context
    count = context.map(swiftRetainCount) ?? 0
  }

  /// What a function has captured.
  @inline(never)
  static func context(
    of function: @escaping @Sendable () async throws -> Void
  ) -> UnsafeMutableRawPointer? {
    unsafeBitCast(Stored(function: function), to: (UInt, UnsafeMutableRawPointer?).self).1
  }

  /// A function by itself would be wrapped in another one on its way into generic code.
  private struct Stored {
    let function: @Sendable () async throws -> Void
  }

  /// Releases what the tasks hold that stalled: they never continue, so they would hold it for ever.
  func releaseLeft() {
    guard let context else { return }
    let closure = Unmanaged<AnyObject>.fromOpaque(context)
    while swiftRetainCount(context) > count { closure.release() }
  }
}

@_silgen_name("swift_retainCount")
private func swiftRetainCount(_ object: UnsafeMutableRawPointer) -> UInt
