extension TextLayout {
  /// The lines, from top to bottom.
  ///
  /// - Complexity: O(text). The first text on a thread takes a few milliseconds longer.
  public var lines: [TextLine] { lines(unless: { false }) ?? [] }

  /// The lines, from top to bottom; nil if `isCancelled` returned true. It is called before every line.
  ///
  /// - Complexity: O(text). The first text on a thread takes a few milliseconds longer.
  public func lines(unless isCancelled: () -> Bool) -> [TextLine]? {
    var lines: [TextLine] = []
    let isWhole = forEachLine(unless: isCancelled) { line, frame, bytes in
      lines.append(
        TextLine(
          text: String(decoding: bytes[line.bytes], as: UTF8.self), frame: frame,
          baseline: line.baseline))
      return .more
    }
    return isWhole ? lines : nil
  }

  /// The size of the text in units. It reaches from the left edge to the rightmost end of a line, and down to the
  /// bottom of the lowest line.
  ///
  /// - Complexity: O(text). The first text on a thread takes a few milliseconds longer.
  public var size: Size {
    var size = Size.zero
    let never = { false }
    _ = forEachLine(unless: never) { line, frame, _ in
      size = Size(width: max(size.width, frame.maxX), height: max(size.height, frame.maxY))
      return .more
    }
    return size
  }

  /// Calls `body` with each line, its frame in units and the bytes of the whole text, until `body` returns `enough`.
  ///
  /// - Returns: false if `isCancelled` returned true.
  func forEachLine(
    unless isCancelled: () -> Bool,
    _ body: (TextBreaker.Line, Rect, UnsafeBufferPointer<UInt8>) -> TextBreaker.Course
  ) -> Bool {
    var text = text
    // Pango treats a NUL as the end of the text.
    if text.withUTF8({ $0.contains(0) }) {
      text = String(text.map { $0 == "\0" ? "\u{FFFD}" : $0 })
    }
    return text.withUTF8 { bytes in
      TextSetter.use { setter in
        guard let width = widthToAlign(bytes, with: setter, unless: isCancelled) else {
          return false
        }
        return TextBreaker.breakLines(of: self, bytes, with: setter, unless: isCancelled) { line in
          let gap = max(width - line.width, 0)
          let frame = Rect(
            x: share(of: line) * gap, y: line.top, width: line.width,
            height: line.bottom - line.top)
          return body(line, frame, bytes)
        }
      }
    }
  }

  /// The width in which lines are aligned. Without a line width, it is that of the longest line, or 0 if alignment has
  /// no effect. Nil if `isCancelled` returned true.
  private func widthToAlign(
    _ text: UnsafeBufferPointer<UInt8>, with setter: TextSetter, unless isCancelled: () -> Bool
  ) -> Double? {
    if let width = lineWidth { return width }
    guard isAligned(text) else { return 0 }
    var longest = 0.0
    let isWhole = TextBreaker.breakLines(of: self, text, with: setter, unless: isCancelled) {
      line in
      longest = max(longest, line.width)
      return .more
    }
    return isWhole ? longest : nil
  }

  /// Whether the position of a line may depend on the width of a longer line.
  private func isAligned(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard Paragraphs.haveSeveralLines(text) else { return false }
    return alignment == .center || alignment == .trailing || Paragraphs.haveRightToLeft(text)
  }

  /// The fraction of a line's free space that is placed before it.
  private func share(of line: TextBreaker.Line) -> Double {
    switch alignment {
    case .center: 0.5
    case .leading, .justified: line.isRightToLeft ? 1 : 0
    case .trailing: line.isRightToLeft ? 0 : 1
    }
  }
}
