/// A point on a runtime's clock: nanoseconds since that runtime's epoch.
///
/// On a virtual clock, the epoch is the start of the simulation. On the machine's clock, it is a
/// fixed point of the monotonic clock. Instants of two runtimes must not be compared.
public struct Instant: InstantProtocol, Hashable, Codable, Sendable {
  public var nanoseconds: Int64

  @inlinable
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The epoch.
  public static let zero = Instant(nanoseconds: 0)

  /// The instant that is later by `duration`, clamped to 64 bits.
  public func advanced(by duration: Duration) -> Instant {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
    return Instant(nanoseconds: overflow ? (duration < .zero ? .min : .max) : sum)
  }

  /// How much later `other` is; negative if it is earlier. It never overflows.
  public func duration(to other: Instant) -> Duration {
    .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
  }

  public static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}

extension Instant: CustomStringConvertible, CustomDebugStringConvertible {
  /// The time since the epoch, as the `shortDescription` of a duration: `30ms`. It is rounded to three decimals.
  public var description: String { Duration.nanoseconds(nanoseconds).shortDescription }

  /// The exact time since the epoch: `30000000ns`. Different instants have different descriptions.
  public var debugDescription: String { "\(nanoseconds)ns" }
}
