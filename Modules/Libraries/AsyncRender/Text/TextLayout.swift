/// A text and how it is set in lines: in which font, how wide, on which side.
///
/// ```swift
/// let layout = TextLayout(text, font: font, width: 300, lineLimit: 3)
/// canvas.draw(layout, at: .zero, color: .black, unless: isCancelled)
/// ```
///
/// It is a description, which any thread may have: the lines are made where it is drawn or measured, by Pango, for
/// all scripts and directions of the world. They do not depend on the canvas, its scale or what is set beside.
///
/// - A new line, a carriage return, both of them or a paragraph separator end a paragraph. An empty text is one
///   empty line.
/// - Where the line has no other place to break, as in a very long word, it is broken between two letters.
/// - A line has at most as many bytes of UTF-8 as 250 000 divided by the font's size: what is longer goes on in the
///   next one. Of a long paragraph not all is laid out at once; so marks of direction that are to hold on for more
///   than some thousand letters may not.
/// - U+0000 is shown as U+FFFD, and letters that no font has as boxes with their numbers.
public struct TextLayout: Sendable, Hashable {
  public var text: String
  public var font: Font
  /// In units. Without one, or with one that is not a number or not finite, only the end of a paragraph ends a line.
  /// Less than nothing counts as nothing.
  public var width: Double?
  public var alignment: Alignment
  /// How many lines there are at most; without one, as many as the text has.
  public var lineLimit: Int?
  public var truncation: Truncation
  /// What lies between two lines, in units, besides what the font has; less than nothing brings them together.
  public var lineSpacing: Double

  /// Where a line lies in the width; without one, in that of the longest line.
  public enum Alignment: Sendable, Hashable, CaseIterable {
    /// At the side where its paragraph begins: the left one, or the right one if it is written from right to left.
    case leading
    case center
    /// At the side where its paragraph ends.
    case trailing
    /// As leading; but the gaps in a line after which its paragraph goes on are made so wide that it fills the width.
    case justified
  }

  /// How the last line shows that there would be more.
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

/// A line of text that is set.
public struct TextLine: Sendable, Hashable {
  /// What is in it of the text; what an ellipsis stands for in its paragraph belongs to it too.
  public var text: String
  /// Where it lies in its layout, in units: as wide as its letters reach, as high as its fonts ask for.
  public var frame: Rect
  /// The y on which its letters stand, in its layout.
  public var baseline: Double
}
