/// A rectangle; `origin` is its top left corner.
public struct Rect: Sendable, Hashable {
  public var origin: Point
  public var size: Size

  public init(origin: Point = .zero, size: Size = .zero) {
    (self.origin, self.size) = (origin, size)
  }

  public init(x: Double, y: Double, width: Double, height: Double) {
    self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
  }

  public static let zero = Rect()

  /// The x of the right edge.
  public var maxX: Double { origin.x + size.width }
  /// The y of the lower edge.
  public var maxY: Double { origin.y + size.height }
  public var center: Point {
    Point(x: origin.x + size.width / 2, y: origin.y + size.height / 2)
  }

  /// The rectangle with all edges moved inwards by `distance`, or outwards if it is negative. No
  /// side becomes smaller than 0: with a large distance, only the centre is left.
  public func inset(by distance: Double) -> Rect {
    let width = max(size.width - 2 * distance, 0)
    let height = max(size.height - 2 * distance, 0)
    return Rect(x: center.x - width / 2, y: center.y - height / 2, width: width, height: height)
  }
}

/// A rectangle as a vector of four dimensions.
extension Rect {
  public static func + (left: Rect, right: Rect) -> Rect {
    Rect(origin: left.origin + right.origin, size: left.size + right.size)
  }
  public static func - (left: Rect, right: Rect) -> Rect {
    Rect(origin: left.origin - right.origin, size: left.size - right.size)
  }
  public func scaled(by factor: Double) -> Rect {
    Rect(origin: origin.scaled(by: factor), size: size.scaled(by: factor))
  }
  public var magnitude: Double { SIMD4(origin.x, origin.y, size.width, size.height).length }
}
