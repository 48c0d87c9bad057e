extension Literal.Value {
  /// Returns the content of a string literal. `offset` is the offset of its opening quote in the source.
  static func unescaped(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(LexicalProblem) -> String
  {
    let inner = bytes.dropFirst().dropLast()
    guard inner.contains(UInt8(ascii: "\\")) else { return String(decoding: inner, as: UTF8.self) }
    var result: [UInt8] = []
    var index = inner.startIndex
    while index < inner.endIndex {
      guard inner[index] == UInt8(ascii: "\\") else {
        result.append(inner[index])
        index += 1
        continue
      }
      let start = index
      index += 2
      switch inner[start + 1] {
      case UInt8(ascii: "\""): result.append(UInt8(ascii: "\""))
      case UInt8(ascii: "\\"): result.append(UInt8(ascii: "\\"))
      case UInt8(ascii: "n"): result.append(UInt8(ascii: "\n"))
      case UInt8(ascii: "t"): result.append(UInt8(ascii: "\t"))
      case UInt8(ascii: "u"):
        let digits = inner[index...].dropFirst().prefix { $0 != UInt8(ascii: "}") }
        let isDelimited =
          index < inner.endIndex && inner[index] == UInt8(ascii: "{")
          && digits.endIndex < inner.endIndex
        guard isDelimited, (1...8).contains(digits.count),
          let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
          digits.first != UInt8(ascii: "+"), let scalar = Unicode.Scalar(code)
        else {
          let shownEnd = isDelimited ? digits.endIndex + 1 : index
          throw LexicalProblem(
            message: "this is not a character",
            range: SourceRange(
              offset + start - bytes.startIndex, offset + shownEnd - bytes.startIndex),
            hint: "write its number in hexadecimal: \\u{e9} is é")
        }
        result.append(contentsOf: Array(String(Character(scalar)).utf8))
        index = digits.endIndex + 1
      default:
        while index < inner.endIndex, inner[index] & 0xC0 == 0x80 { index += 1 }
        let escape = String(decoding: inner[start..<index], as: UTF8.self)
        throw LexicalProblem(
          message: "“\(escape)” is not an escape",
          range: SourceRange(offset + start - bytes.startIndex, offset + index - bytes.startIndex),
          hint: #"the escapes are \" \\ \n \t \u{…}"#)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
