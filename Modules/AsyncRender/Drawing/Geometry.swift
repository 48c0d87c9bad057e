/// A point, in units of a canvas: one is `scale` pixels. `y` grows downwards.
public struct Point: Sendable, Hashable {
  public var x: Double
  public var y: Double

  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  public static let zero = Point(x: 0, y: 0)
}

/// A width and a height, in units of a canvas: one is `scale` pixels.
public struct Size: Sendable, Hashable {
  public var width: Double
  public var height: Double

  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  public static let zero = Size(width: 0, height: 0)
}

/// A rectangle; `origin` is its top left corner.
public struct Rect: Sendable, Hashable {
  public var origin: Point
  public var size: Size

  public init(origin: Point, size: Size) {
    self.origin = origin
    self.size = size
  }

  public init(x: Double, y: Double, width: Double, height: Double) {
    self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
  }

  /// The x of the right edge.
  public var maxX: Double { origin.x + size.width }
  /// The y of the lower edge.
  public var maxY: Double { origin.y + size.height }
  public var center: Point {
    Point(x: origin.x + size.width / 2, y: origin.y + size.height / 2)
  }

  /// The rectangle whose edges are that far inside; outside, for a negative distance. It never is smaller than
  /// nothing: then it is its centre.
  public func inset(by distance: Double) -> Rect {
    let width = max(size.width - 2 * distance, 0)
    let height = max(size.height - 2 * distance, 0)
    return Rect(x: center.x - width / 2, y: center.y - height / 2, width: width, height: height)
  }
}
