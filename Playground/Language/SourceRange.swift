/// A half-open range of UTF-8 offsets in a ``Source``.
///
/// It takes eight bytes, since each node of a syntax tree of a million steps stores one.
public struct SourceRange: Sendable, Hashable {
  private let first: UInt32
  private let limit: UInt32

  /// The offset of the first byte.
  public var start: Int { Int(first) }
  /// The offset after the last byte.
  public var end: Int { Int(limit) }
  /// Whether the range contains no byte: a place between two characters.
  public var isEmpty: Bool { first == limit }

  /// Creates a range from `start` up to `end`. If the end is before the start, the range is empty.
  public init(_ start: Int, _ end: Int) {
    first = UInt32(clamping: start)
    limit = max(first, UInt32(clamping: end))
  }

  /// The smallest range that contains this range and the other one.
  public func joined(with other: SourceRange) -> SourceRange {
    SourceRange(min(start, other.start), max(end, other.end))
  }
}

/// A place in a source for the user: lines and characters, both counted from 1.
public struct SourceLocation: Sendable, Hashable {
  /// The line, from 1.
  public let line: Int
  /// The column in characters (not bytes), from 1.
  public let column: Int

  /// Creates a place at a line and a column.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}
