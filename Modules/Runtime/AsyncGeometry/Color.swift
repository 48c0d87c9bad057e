/// A colour in sRGB with four components, each from 0 to 1. Red, green and blue are not multiplied by the opacity.
///
/// A component may lie outside this range, for example during an animation that overshoots. Such a
/// colour is drawn as the nearest one in the range: see ``clamped``.
public struct Color: Sendable, Hashable {
  public var red, green, blue, alpha: Double

  public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  /// From black, which is 0, to white, which is 1.
  public init(gray: Double, alpha: Double = 1) {
    self.init(red: gray, green: gray, blue: gray, alpha: alpha)
  }

  /// Transparent black.
  public static let clear = Color(gray: 0, alpha: 0)
  public static let black = Color(gray: 0)
  public static let white = Color(gray: 1)

  /// The same colour with the opacity `alpha`.
  public func opacity(_ alpha: Double) -> Color {
    Color(red: red, green: green, blue: blue, alpha: alpha)
  }

  /// The nearest colour that can be drawn. A component that is not a number becomes 0.
  public var clamped: Color {
    Color(red: red.component, green: green.component, blue: blue.component, alpha: alpha.component)
  }
}

/// A colour as a vector of four dimensions.
extension Color {
  /// Transparent black, like ``clear``.
  public static let zero = clear
  public static func + (left: Color, right: Color) -> Color {
    Color(left.components + right.components)
  }
  public static func - (left: Color, right: Color) -> Color {
    Color(left.components - right.components)
  }
  public func scaled(by factor: Double) -> Color { Color(components * factor) }
  public var magnitude: Double { components.length }

  private var components: SIMD4<Double> { SIMD4(red, green, blue, alpha) }
  private init(_ components: SIMD4<Double>) {
    self.init(
      red: components[0], green: components[1], blue: components[2], alpha: components[3])
  }
}

extension Double {
  fileprivate var component: Double { isNaN ? 0 : Swift.min(Swift.max(self, 0), 1) }
}
