/// A width and a height, in units. An animation that overshoots may make them negative for a time.
public struct Size: Sendable, Hashable {
  public var width, height: Double

  public init(width: Double = 0, height: Double = 0) {
    (self.width, self.height) = (width, height)
  }

  public static let zero = Size()
}

/// A size as a vector of two dimensions.
extension Size {
  public static func + (left: Size, right: Size) -> Size {
    Size(width: left.width + right.width, height: left.height + right.height)
  }
  public static func - (left: Size, right: Size) -> Size {
    Size(width: left.width - right.width, height: left.height - right.height)
  }
  public func scaled(by factor: Double) -> Size {
    Size(width: width * factor, height: height * factor)
  }
  /// The length of the diagonal.
  public var magnitude: Double { SIMD2(width, height).length }
}
