/// The content of a string, with the place in the source of each byte. An error in the content can therefore be shown
/// inside the string.
public struct QuotedText: Sendable {
  public let text: String
  /// For each byte of the text, and for its end, the offset in the source.
  private let offsets: [Int]

  /// - Parameter word: a string without errors.
  public init(_ word: WordSyntax, in source: Source) {
    text = word.text
    var offsets: [Int] = []
    var offset = word.range.start + 1
    let end = word.range.end - 1
    while offset < end {
      let start = offset
      var length = 1
      offset += 1
      if source.bytes[start] == UInt8(ascii: "\\"), offset < end {
        if source.bytes[offset] == UInt8(ascii: "u") {
          let digits = source.bytes[(offset + 2)..<end].prefix { $0 != UInt8(ascii: "}") }
          let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
          length = code.flatMap(Unicode.Scalar.init).map(UTF8.width) ?? 1
          offset = digits.endIndex
        }
        offset += 1
      }
      offsets += Array(repeating: start, count: length)
    }
    self.offsets = offsets + [end]
  }

  /// The range in the source that corresponds to a range of the text's bytes.
  public func range(_ range: SourceRange) -> SourceRange {
    SourceRange(place(range.start), place(range.end))
  }

  private func place(_ offset: Int) -> Int { offsets[min(offset, offsets.count - 1)] }

  /// Writes a text as a string literal of the language. Reading the literal gives the same text. Characters that would
  /// control a terminal are written as escapes.
  ///
  /// - Complexity: O(length).
  public static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      default:
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse:
          result += "\\u{\(String(scalar.value, radix: 16))}"
        default: result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }
}
