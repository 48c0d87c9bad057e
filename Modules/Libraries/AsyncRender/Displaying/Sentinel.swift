internal import Synchronization

/// A counter that shows whether work has become obsolete. Work remembers the value when it starts, and is cancelled as
/// soon as the value differs.
///
/// No value ever comes back: at one increase per nanosecond, 64 bits last for 584 years.
public final class Sentinel: Sendable {
  private let count = Atomic<UInt64>(0)

  /// A sentinel with the value 0.
  public init() {}

  /// The current value. All writes made before the increase that led to this value are visible to the reader.
  public var value: UInt64 { count.load(ordering: .acquiring) }

  /// Cancels all work that has started.
  ///
  /// - Returns: the new value.
  @discardableResult
  public func increase() -> UInt64 { count.add(1, ordering: .acquiringAndReleasing).newValue }
}
