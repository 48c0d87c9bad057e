internal import Synchronization

/// A counter that tells whether something has become obsolete: whoever begins remembers its value, and has
/// been called off as soon as it has another one.
///
/// It never comes back to a value: at one increase a nanosecond, 64 bits last for 584 years.
public final class Sentinel: Sendable {
  private let count = Atomic<UInt64>(0)

  /// A sentinel that stands at 0.
  public init() {}

  /// Where it stands. What happened before the increase that led there has happened for who reads it.
  public var value: UInt64 { count.load(ordering: .acquiring) }

  /// Calls off whoever has begun.
  ///
  /// - Returns: where it stands now.
  @discardableResult
  public func increase() -> UInt64 { count.add(1, ordering: .acquiringAndReleasing).newValue }
}
