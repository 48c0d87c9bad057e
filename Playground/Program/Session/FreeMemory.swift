import Foundation

/// The memory that the program has released, but not given back to the system.
enum FreeMemory {
  private static let trim: (@convention(c) (Int) -> Int32)? =
    dlsym(nil, "malloc_trim").map {
      unsafeBitCast($0, to: (@convention(c) (Int) -> Int32).self)
    }

  /// Gives that memory back. Otherwise glibc keeps it in several heaps, and each thread can use only one of them. Where
  /// there is no `malloc_trim`, this does nothing.
  ///
  /// - Complexity: O(free memory).
  static func release() { _ = trim?(0) }
}
