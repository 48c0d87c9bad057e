/// Which drawing goes first of those that wait for a worker: the higher, then the one that came first.
///
/// Any whole number will do: `layer.priority = DisplayPriority(-distanceFromTheMiddle)`.
public struct DisplayPriority: Sendable, Hashable, Comparable, ExpressibleByIntegerLiteral {
  /// The higher goes first.
  public var value: Int

  /// A priority of any whole number; `normal` is 0.
  public init(_ value: Int) { self.value = value }
  public init(integerLiteral value: Int) { self.value = value }

  /// What is out of sight.
  public static let low: DisplayPriority = -100
  public static let normal: DisplayPriority = 0
  /// What somebody waits for.
  public static let high: DisplayPriority = 100

  public static func < (left: DisplayPriority, right: DisplayPriority) -> Bool {
    left.value < right.value
  }
}
