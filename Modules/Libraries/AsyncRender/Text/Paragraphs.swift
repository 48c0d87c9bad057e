/// Finds the ends of paragraphs, in bytes of UTF-8.
enum Paragraphs {
  /// The end of the paragraph that starts at `start`, and the start of the next one, if there is one.
  static func end(
    in text: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> (end: Int, next: Int?) {
    var index = start
    while index < text.count {
      switch text[index] {
      case 0x0A: return (index, index + 1)
      case 0x0D:
        let isPair = index + 1 < text.count && text[index + 1] == 0x0A
        return (index, index + (isPair ? 2 : 1))
      // U+2029.
      case 0xE2 where index + 2 < text.count && text[index + 1] == 0x80 && text[index + 2] == 0xA9:
        return (index, index + 3)
      default: index += 1
      }
    }
    return (text.count, nil)
  }

  /// Whether the text may have more than one line even without a width limit.
  static func haveSeveralLines(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    // Also matches U+2028 and U+2029. Other characters that start with the same byte do no harm.
    text.contains { $0 == 0x0A || $0 == 0x0D || $0 == 0xE2 }
  }

  /// Whether the text may contain a character that is written from right to left.
  static func haveRightToLeft(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    // From U+0590 to U+08FF, from U+FB00, and from U+10000. Matching many other characters too does no harm.
    text.contains { (0xD6...0xE0).contains($0) || $0 >= 0xEF }
  }

  /// The end of the first `count` bytes of a range, or of the whole range if it is shorter. The end moves back if it
  /// would split a character.
  static func cut(
    _ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, to count: Int
  ) -> Int {
    guard range.count > count else { return range.upperBound }
    var end = range.lowerBound + count
    while end > range.lowerBound + 1, text[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }
}
