internal import CCairo

/// A font family with a style and a size, in the notation of Pango: `Sans 14`, `DejaVu Serif Bold Italic 12`,
/// `Monospace 20px`.
///
/// A size is in points; 72 points are 96 units of a canvas. With `px`, it is in units. If a family is not installed, or
/// has no glyph for a character, the most similar installed font is used.
public struct Font: Sendable, Hashable, CustomStringConvertible {
  /// The description as Pango writes it. Equal fonts have the same description.
  public let description: String
  /// The font size in units: about the height of a letter, including ascenders and descenders.
  public let size: Double
  let pango: FontDescription

  /// The largest size, in units.
  public static let largestSize = 2_000.0

  /// - Throws: `DrawingError` if the description has no size, or an impossible one.
  public init(_ description: String) throws(DrawingError) {
    // Pango reads only up to the first NUL, and prints a warning to standard error for an invalid number.
    guard !description.utf8.contains(0), let pango = FontDescription(description) else {
      throw DrawingError(
        "“\(description)” is not a font description; write one like “Sans 14”")
    }
    size = pango.size
    guard size > 0 else {
      throw DrawingError(
        "the font “\(description)” has no size; write the size after the name, as in “Sans 14”")
    }
    guard size <= Font.largestSize else {
      throw DrawingError(
        "the font “\(description)” is \(size.shortText) units large; use at most "
          + Font.largestSize.shortText)
    }
    self.description = pango.text
    self.pango = pango
  }

  public static func == (left: Font, right: Font) -> Bool { left.description == right.description }
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

/// A Pango font description.
final class FontDescription: @unchecked Sendable {
  // Safe to share: it is never changed, and Pango only reads it.
  let pointer: OpaquePointer

  init?(_ text: String) {
    guard let pointer = pango_font_description_from_string(text) else { return nil }
    self.pointer = pointer
  }

  deinit { pango_font_description_free(pointer) }

  /// In units of a canvas.
  var size: Double {
    let size = Double(pango_font_description_get_size(pointer)) / Double(PANGO_SCALE)
    return pango_font_description_get_size_is_absolute(pointer) != 0 ? size : size * 96 / 72
  }

  var text: String {
    let text = pango_font_description_to_string(pointer)!
    defer { g_free(text) }
    return String(cString: text)
  }
}
