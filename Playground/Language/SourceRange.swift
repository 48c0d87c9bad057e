/// A half-open range of UTF-8 offsets in a ``Source``.
///
/// Eight bytes, since every node of a syntax tree of a million steps carries one.
public struct SourceRange: Sendable, Hashable {
  private let first: UInt32
  private let limit: UInt32

  /// The offset of the first byte.
  public var start: Int { Int(first) }
  /// The offset after the last byte.
  public var end: Int { Int(limit) }
  /// Whether the range holds no byte: a place between two characters.
  public var isEmpty: Bool { first == limit }

  /// A range from `start` up to `end`; an end before the start makes an empty range.
  public init(_ start: Int, _ end: Int) {
    first = UInt32(clamping: start)
    limit = max(first, UInt32(clamping: end))
  }

  /// The smallest range that holds this one and the other.
  public func joined(with other: SourceRange) -> SourceRange {
    SourceRange(min(start, other.start), max(end, other.end))
  }
}

/// A place in a source as people count it: lines and characters, both from 1.
public struct SourceLocation: Sendable, Hashable {
  /// The line, from 1.
  public let line: Int
  /// The column in characters (not bytes), from 1.
  public let column: Int

  /// A place at a line and a column.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}
