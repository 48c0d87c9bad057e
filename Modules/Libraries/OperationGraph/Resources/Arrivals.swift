internal import Synchronization

/// Numbers operations in the order in which they become ready. Runs that share a pool also share
/// these numbers.
final class Arrivals: Sendable {
  private let count = Atomic<UInt64>(0)

  /// A number larger than all earlier ones.
  func next() -> UInt64 { count.add(1, ordering: .relaxed).newValue }
}
