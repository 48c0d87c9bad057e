internal import CCairo

/// A family of letters, their style and their size, as Pango describes it: `Sans 14`, `DejaVu Serif Bold
/// Italic 12`, `Monospace 20px`.
///
/// A size is in points, of which 72 are 96 units of a canvas, or with `px` in units. A family that is not
/// installed, and letters that a family does not have, are taken from the most similar one that is.
public struct Font: Sendable, Hashable, CustomStringConvertible {
  /// The description as Pango writes it: equal fonts have the same.
  public let description: String
  /// The size of a letter, about its height with all that may stand above and below, in units.
  public let size: Double
  let pango: FontDescription

  /// The largest size, in units.
  public static let largestSize = 2_000.0

  /// - Throws: `DrawingError` if the description has no size, or one that cannot be.
  public init(_ description: String) throws(DrawingError) {
    // Pango reads as far as the first NUL, and reports what is no number on standard error.
    guard !description.utf8.contains(0), let pango = FontDescription(description) else {
      throw DrawingError(
        "“\(description)” is not the description of a font; write one as “Sans 14”")
    }
    size = pango.size
    guard size > 0 else {
      throw DrawingError(
        "the font “\(description)” has no size; write one behind its name, as in “Sans 14”")
    }
    guard size <= Font.largestSize else {
      throw DrawingError(
        "the font “\(description)” is \(size.shortText) units large; it can have "
          + Font.largestSize.shortText)
    }
    self.description = pango.text
    self.pango = pango
  }

  public static func == (left: Font, right: Font) -> Bool { left.description == right.description }
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

/// A font description of Pango's.
final class FontDescription: @unchecked Sendable {
  // Safe to share: nobody changes it, and Pango only reads what it is given.
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
