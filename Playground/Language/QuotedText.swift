/// What a string holds, and where each byte of it was written: so that what is wrong in it can be shown
/// in the string itself.
public struct QuotedText: Sendable {
  public let text: String
  /// For each byte of the text, and for its end, where it stands in the source.
  private let offsets: [Int]

  /// - Parameter word: a string that could be read.
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

  /// Where a range of the text's bytes stands in the source.
  public func range(_ range: SourceRange) -> SourceRange {
    SourceRange(place(range.start), place(range.end))
  }

  private func place(_ offset: Int) -> Int { offsets[min(offset, offsets.count - 1)] }

  /// A text as a string of the language: read, it gives the text again. What a terminal would act on is
  /// written by its number.
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
