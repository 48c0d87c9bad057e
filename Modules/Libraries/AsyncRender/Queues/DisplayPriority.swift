/// The order in which waiting drawings get a worker: higher priorities first, and equal ones in the order of arrival.
///
/// Any whole number will do: `layer.priority = DisplayPriority(-distanceFromTheMiddle)`.
public struct DisplayPriority: Sendable, Hashable, Comparable, ExpressibleByIntegerLiteral {
  /// A higher value is drawn first.
  public var value: Int

  /// A priority of any whole number; `normal` is 0.
  public init(_ value: Int) { self.value = value }
  public init(integerLiteral value: Int) { self.value = value }

  /// For layers that are not visible.
  public static let low: DisplayPriority = -100
  public static let normal: DisplayPriority = 0
  /// For layers that the user is waiting for.
  public static let high: DisplayPriority = 100

  public static func < (left: DisplayPriority, right: DisplayPriority) -> Bool {
    left.value < right.value
  }
}
