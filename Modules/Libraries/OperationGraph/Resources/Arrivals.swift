internal import Synchronization

/// Numbers those who become ready, one after another: of a run, or of all that share a pool.
final class Arrivals: Sendable {
  private let count = Atomic<UInt64>(0)

  /// A number larger than all before it.
  func next() -> UInt64 { count.add(1, ordering: .relaxed).newValue }
}
