/// The priority of waiting work: work with a higher priority starts first.
///
/// Any whole number is a priority, as in `layer.priority = Priority(-distanceFromTheMiddle)`. A `SerialQueue` and a
/// `TransactionQueue` distinguish only three: all below `normal` are `low` there, and all above it are `high`.
@frozen
public struct Priority: Sendable, Hashable, Comparable, ExpressibleByIntegerLiteral {
  /// A higher value starts first.
  public var rawValue: Int

  /// A priority of any whole number; `normal` is 0.
  @inlinable public init(_ rawValue: Int) { self.rawValue = rawValue }
  @inlinable public init(integerLiteral rawValue: Int) { self.rawValue = rawValue }

  /// −100.
  @inlinable public static var low: Priority { Priority(-100) }
  /// 0.
  @inlinable public static var normal: Priority { Priority(0) }
  /// 100.
  @inlinable public static var high: Priority { Priority(100) }

  @inlinable public static func < (left: Priority, right: Priority) -> Bool {
    left.rawValue < right.rawValue
  }

  /// The priority in a queue that distinguishes only three.
  package var level: Level {
    if rawValue == 0 { return .normal }
    return rawValue < 0 ? .low : .high
  }

  /// A priority in a queue that distinguishes only three.
  package enum Level: Int, Sendable, CaseIterable, Comparable {
    case low, normal, high

    package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }
}
