/// A place in the plane.
public struct Point: Animatable, Hashable {
  public var x, y: Double

  public init(x: Double = 0, y: Double = 0) {
    (self.x, self.y) = (x, y)
  }

  public static let zero = Point()
  public static func + (left: Point, right: Point) -> Point {
    Point(x: left.x + right.x, y: left.y + right.y)
  }
  public static func - (left: Point, right: Point) -> Point {
    Point(x: left.x - right.x, y: left.y - right.y)
  }
  public func scaled(by factor: Double) -> Point { Point(x: x * factor, y: y * factor) }
  public var magnitude: Double { SIMD2(x, y).magnitude }
}

/// A width and a height. An animation that overshoots may make them negative on its way.
public struct Size: Animatable, Hashable {
  public var width, height: Double

  public init(width: Double = 0, height: Double = 0) {
    (self.width, self.height) = (width, height)
  }

  public static let zero = Size()
  public static func + (left: Size, right: Size) -> Size {
    Size(width: left.width + right.width, height: left.height + right.height)
  }
  public static func - (left: Size, right: Size) -> Size {
    Size(width: left.width - right.width, height: left.height - right.height)
  }
  public func scaled(by factor: Double) -> Size {
    Size(width: width * factor, height: height * factor)
  }
  public var magnitude: Double { SIMD2(width, height).magnitude }
}

/// A place and a size; as a vector it has four dimensions.
public struct Rect: Animatable, Hashable {
  public var origin: Point
  public var size: Size

  public init(origin: Point = .zero, size: Size = .zero) {
    (self.origin, self.size) = (origin, size)
  }

  public init(x: Double, y: Double, width: Double, height: Double) {
    self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
  }

  public static let zero = Rect()
  public static func + (left: Rect, right: Rect) -> Rect {
    Rect(origin: left.origin + right.origin, size: left.size + right.size)
  }
  public static func - (left: Rect, right: Rect) -> Rect {
    Rect(origin: left.origin - right.origin, size: left.size - right.size)
  }
  public func scaled(by factor: Double) -> Rect {
    Rect(origin: origin.scaled(by: factor), size: size.scaled(by: factor))
  }
  public var magnitude: Double {
    SIMD4(origin.x, origin.y, size.width, size.height).magnitude
  }
}
