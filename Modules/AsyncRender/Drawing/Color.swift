internal import CCairo

/// A colour of sRGB as four components, each 0…1, not multiplied by the opacity.
///
/// What lies outside is drawn as the nearest colour there is; a component that is not a number as 0.
public struct Color: Sendable, Hashable {
  public var red, green, blue, alpha: Double

  public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  /// From black, which is 0, to white, which is 1.
  public init(gray: Double, alpha: Double = 1) {
    self.init(red: gray, green: gray, blue: gray, alpha: alpha)
  }

  /// A colour as style sheets write it: `#336699`, `#369`, `#33669980` with its opacity, or a name of CSS.
  ///
  /// - Throws: `DrawingError` for anything else.
  public init(_ text: String) throws(DrawingError) {
    var color = PangoColor()
    var alpha: UInt16 = 0
    // Pango reads names only as far as the first NUL.
    guard !text.utf8.contains(0), pango_color_parse_with_alpha(&color, &alpha, text) != 0 else {
      throw DrawingError(
        "“\(text)” is not a colour; write one as #336699, #33669980 or by its name, as in “steelblue”"
      )
    }
    self.init(
      red: Double(color.red) / 65_535, green: Double(color.green) / 65_535,
      blue: Double(color.blue) / 65_535, alpha: Double(alpha) / 65_535)
  }

  /// Black, and transparent.
  public static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
  public static let black = Color(gray: 0)
  public static let white = Color(gray: 1)

  /// The same colour, that opaque.
  public func opacity(_ alpha: Double) -> Color {
    Color(red: red, green: green, blue: blue, alpha: alpha)
  }

  /// The nearest colour that can be drawn.
  var drawn: Color {
    Color(red: red.component, green: green.component, blue: blue.component, alpha: alpha.component)
  }
}

extension Double {
  fileprivate var component: Double { isNaN ? 0 : Swift.min(Swift.max(self, 0), 1) }
}
