/// The text of a script, with its name and a table of its lines.
public struct Source: Sendable {
  /// The longest line that is accepted, in bytes.
  public static let longestLine = 1_048_576

  /// The file's path, or a placeholder for another source, such as `<stdin>` or `prompt`.
  public let name: String
  /// Whether it was made from the bytes of a file, and not from text.
  public let isFile: Bool
  /// The text in UTF-8.
  public let bytes: [UInt8]
  /// The offset at which each line starts; the first is 0.
  let lineStarts: [Int]
  /// The first line that is longer than ``longestLine``, counted from 0. Nil if there is none.
  let overlongLine: Int?

  /// Creates a source from text.
  ///
  /// - Complexity: O(length).
  public init(name: String, text: String) {
    self.init(name: name, isFile: false, valid: Array(text.utf8))
  }

  /// Creates a source from the bytes of a file.
  ///
  /// - Throws: a ``Diagnostic`` that names the offset of the first byte that is not UTF-8.
  /// - Complexity: O(length).
  public init(name: String, bytes: [UInt8]) throws(Diagnostic) {
    if let offset = Self.offsetOfInvalidByte(bytes) {
      let readable = Source(name: name, isFile: true, valid: Array(bytes[..<offset]))
      throw Diagnostic(
        "the byte at offset \(offset) is not UTF-8", at: SourceRange(offset, offset), in: readable,
        hint: "save the file as UTF-8")
    }
    self.init(name: name, isFile: true, valid: bytes)
  }

  private init(name: String, isFile: Bool, valid bytes: [UInt8]) {
    self.name = name
    self.isFile = isFile
    self.bytes = bytes
    var starts = [0]
    var overlong: Int?
    for offset in bytes.indices where bytes[offset] == UInt8(ascii: "\n") {
      if overlong == nil, offset - starts[starts.count - 1] > Self.longestLine {
        overlong = starts.count - 1
      }
      starts.append(offset + 1)
    }
    if overlong == nil, bytes.count - starts[starts.count - 1] > Self.longestLine {
      overlong = starts.count - 1
    }
    lineStarts = starts
    overlongLine = overlong
  }

  /// The empty range after the last byte.
  public var end: SourceRange { SourceRange(bytes.count, bytes.count) }

  /// The text of a range, as written.
  public func text(_ range: SourceRange) -> String {
    let start = min(range.start, bytes.count)
    return String(decoding: bytes[start..<max(start, min(range.end, bytes.count))], as: UTF8.self)
  }

  /// The line and column at which a range starts.
  ///
  /// - Complexity: O(log lines + length of the line).
  public func location(of range: SourceRange) -> SourceLocation {
    let line = lineIndex(at: range.start)
    let before = text(SourceRange(lineStarts[line], range.start))
    return SourceLocation(line: line + 1, column: before.count + 1)
  }

  /// The index, from 0, of the line that contains an offset.
  func lineIndex(at offset: Int) -> Int {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }

  /// The range of a line, counted from 0, without its newline.
  func lineRange(_ line: Int) -> SourceRange {
    let start = lineStarts[line]
    var end = line + 1 < lineStarts.count ? lineStarts[line + 1] - 1 : bytes.count
    if end > start, line + 1 < lineStarts.count, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return SourceRange(start, end)
  }

  private static func offsetOfInvalidByte(_ bytes: [UInt8]) -> Int? {
    if String(validating: bytes, as: UTF8.self) != nil { return nil }
    var decoder = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while true {
      switch decoder.parseScalar(from: &iterator) {
      case .valid(let scalar): offset += scalar.count
      case .error: return offset
      case .emptyInput: return nil
      }
    }
  }
}
