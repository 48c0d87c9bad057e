import Foundation

/// Memory that the program does not use, but has not given back to the system.
enum FreeMemory {
  private static let trim: (@convention(c) (Int) -> Int32)? =
    dlsym(nil, "malloc_trim").map {
      unsafeBitCast($0, to: (@convention(c) (Int) -> Int32).self)
    }

  /// Gives it back. Glibc otherwise keeps all that long runs have needed, in a heap for each of several threads, where
  /// other threads cannot use it. Other systems give it back by themselves.
  ///
  /// - Complexity: O(free memory).
  static func release() { _ = trim?(0) }
}
