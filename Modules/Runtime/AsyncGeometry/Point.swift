/// A point in the plane, in units. A canvas or a screen has `scale` pixels for each unit. `y` grows
/// downwards.
public struct Point: Sendable, Hashable {
  public var x, y: Double

  public init(x: Double = 0, y: Double = 0) {
    (self.x, self.y) = (x, y)
  }

  public static let zero = Point()
}

/// A point as a vector of two dimensions.
extension Point {
  public static func + (left: Point, right: Point) -> Point {
    Point(x: left.x + right.x, y: left.y + right.y)
  }
  public static func - (left: Point, right: Point) -> Point {
    Point(x: left.x - right.x, y: left.y - right.y)
  }
  public func scaled(by factor: Double) -> Point { Point(x: x * factor, y: y * factor) }
  /// The distance from ``zero``.
  public var magnitude: Double { SIMD2(x, y).length }
}
