/// A colour as four components, each 0…1, not multiplied by the opacity.
///
/// Animations go through the components one by one. One that overshoots may leave 0…1 on its way: what
/// draws it takes ``clamped``.
public struct Color: Animatable, Hashable {
  public var red, green, blue, alpha: Double

  public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  /// Black, and transparent.
  public static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
  public static let black = Color(red: 0, green: 0, blue: 0)
  public static let white = Color(red: 1, green: 1, blue: 1)

  /// ``clear``.
  public static let zero = clear
  public static func + (left: Color, right: Color) -> Color {
    Color(left.components + right.components)
  }
  public static func - (left: Color, right: Color) -> Color {
    Color(left.components - right.components)
  }
  public func scaled(by factor: Double) -> Color { Color(components * factor) }
  public var magnitude: Double { components.magnitude }

  /// The nearest colour that can be drawn; a component that is not a number becomes 0.
  public var clamped: Color {
    func drawn(_ component: Double) -> Double { component.clamped(to: 0...1, ifNotANumber: 0) }
    return Color(red: drawn(red), green: drawn(green), blue: drawn(blue), alpha: drawn(alpha))
  }

  private var components: SIMD4<Double> { SIMD4(red, green, blue, alpha) }
  private init(_ components: SIMD4<Double>) {
    self.init(
      red: components[0], green: components[1], blue: components[2], alpha: components[3])
  }
}
