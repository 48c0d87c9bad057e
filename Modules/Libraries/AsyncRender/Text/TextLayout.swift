/// A text and its layout: the font, the width and the alignment.
///
/// ```swift
/// let layout = TextLayout(text, font: font, width: 300, lineLimit: 3)
/// canvas.draw(layout, at: .zero, color: .black, unless: isCancelled)
/// ```
///
/// It is only a description, and any thread may use it. Pango lays out the lines when the text is drawn or measured,
/// for all scripts and directions. The lines do not depend on the canvas, its scale or other text.
///
/// - A new line, a carriage return, both of them or a paragraph separator end a paragraph. An empty text is one empty
///   line.
/// - If a line has no other place to break, as in a very long word, it is broken between two letters.
/// - A line has at most as many bytes of UTF-8 as 250 000 divided by the font's size. Longer text continues in the next
///   line. A long paragraph is laid out piece by piece, so a direction mark may have no effect beyond a few thousand
///   letters.
/// - U+0000 is shown as U+FFFD. A character that no font has is shown as a box with its number.
public struct TextLayout: Sendable, Hashable {
  public var text: String
  public var font: Font
  /// The line width in units. If it is nil, not a number or infinite, lines have no width limit. A negative width
  /// counts as 0.
  public var width: Double?
  public var alignment: Alignment
  /// The largest number of lines; nil for no limit.
  public var lineLimit: Int?
  public var truncation: Truncation
  /// Additional space between two lines, in units. A negative value moves the lines closer together.
  public var lineSpacing: Double

  /// The position of a line within the width, or within the longest line if there is no width.
  public enum Alignment: Sendable, Hashable, CaseIterable {
    /// At the side where the paragraph starts: left, or right if it is written from right to left.
    case leading
    case center
    /// At the side where the paragraph ends.
    case trailing
    /// Like `leading`, but the gaps are widened so that the line fills the width. The last line of a
    /// paragraph is not widened.
    case justified
  }

  /// How the last line shows that there is more text.
  public enum Truncation: Sendable, Hashable, CaseIterable {
    /// Not at all.
    case none
    /// By an ellipsis at its start, in its middle or at its end.
    case start, middle, end
  }

  public init(
    _ text: String, font: Font, width: Double? = nil, alignment: Alignment = .leading,
    lineLimit: Int? = nil, truncation: Truncation = .end, lineSpacing: Double = 0
  ) {
    self.text = text
    self.font = font
    self.width = width
    self.alignment = alignment
    self.lineLimit = lineLimit
    self.truncation = truncation
    self.lineSpacing = lineSpacing
  }
}

/// A laid-out line of text.
public struct TextLine: Sendable, Hashable {
  /// Its part of the text, including the text of its paragraph that an ellipsis replaces.
  public var text: String
  /// Its frame in the layout, in units: the width of its letters, and the line height of its fonts.
  public var frame: Rect
  /// The y coordinate of its baseline, in the layout.
  public var baseline: Double
}
