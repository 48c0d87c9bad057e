internal import CCairo

extension Color {
  /// Parses a colour in the notation of style sheets: `#336699`, `#369`, `#33669980` with its opacity, or a CSS name.
  ///
  /// - Throws: `DrawingError` for anything else.
  public init(_ text: String) throws(DrawingError) {
    var color = PangoColor()
    var alpha: UInt16 = 0
    // Pango reads names only up to the first NUL.
    guard !text.utf8.contains(0), pango_color_parse_with_alpha(&color, &alpha, text) != 0 else {
      throw DrawingError(
        "“\(text)” is not a colour; write one as #336699, #33669980 or by its name, as in “steelblue”"
      )
    }
    self.init(
      red: Double(color.red) / 65_535, green: Double(color.green) / 65_535,
      blue: Double(color.blue) / 65_535, alpha: Double(alpha) / 65_535)
  }
}
