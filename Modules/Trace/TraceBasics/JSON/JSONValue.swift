/// A JSON value. Whole numbers are exact if they fit into 64 bits.
public enum JSONValue: Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

/// Reads one JSON value from bytes that another program may have written.
///
/// Whatever the bytes are, the result is either a value or an error with its position. The memory used is proportional
/// to the number of bytes.
public struct JSONReader {
  public struct Failure: Error, Equatable {
    /// The number of bytes before the error.
    public let offset: Int
    public let message: String
    /// Whether the bytes end too early, so that more bytes could make them correct.
    public var isAtEnd = false

    public init(offset: Int, message: String, isAtEnd: Bool = false) {
      (self.offset, self.message, self.isAtEnd) = (offset, message, isAtEnd)
    }
  }

  /// The maximum depth of nesting. No record is deeper, and unlimited depth would overflow the stack.
  private static let deepest = 128

  public let bytes: UnsafeBufferPointer<UInt8>
  public var position = 0
  /// Whether text that is not UTF-8, and a name that occurs twice, are errors. Otherwise such text is
  /// repaired, and the later field counts.
  public var isStrict = false

  /// - Complexity: O(n).
  public static func read(_ bytes: ArraySlice<UInt8>) throws(Failure) -> JSONValue {
    try bytes.withUnsafeBufferPointer { bytes throws(Failure) in
      var reader = JSONReader(bytes: bytes)
      reader.isStrict = true
      return try reader.document()
    }
  }

  public init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  private mutating func document() throws(Failure) -> JSONValue {
    let value = try value(depth: 0)
    skipSpace()
    guard position == bytes.count else { throw failure("there is more text after the value") }
    return value
  }

  public mutating func value(depth: Int) throws(Failure) -> JSONValue {
    guard depth < JSONReader.deepest else {
      throw Failure(offset: position, message: "it nests too deeply")
    }
    skipSpace()
    switch peek {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case let byte? where JSONReader.isOfNumber(byte): return try number()
    case nil: throw failure("it ends in the middle")
    default: throw failure("a value was expected")
    }
  }

  private mutating func object(depth: Int) throws(Failure) -> JSONValue {
    position += 1
    skipSpace()
    var result = JSONObject()
    if take("}") { return .object(result) }
    repeat {
      skipSpace()
      let start = position
      let name = try fieldName()
      let isNew = result.set(name, to: try value(depth: depth + 1))
      guard isNew || !isStrict else {
        throw Failure(offset: start, message: "“\(name.prefix(32))” occurs twice")
      }
      skipSpace()
    } while take(",")
    guard take("}") else { throw failure("“,” or “}” was expected") }
    return .object(result)
  }

  /// Reads the name of a field, and the colon after it.
  public mutating func fieldName() throws(Failure) -> String {
    skipSpace()
    guard peek == UInt8(ascii: "\"") else {
      throw failure("a name in quotation marks was expected")
    }
    let name = try string()
    skipSpace()
    guard take(":") else { throw failure("“:” was expected") }
    skipSpace()
    return name
  }

  private mutating func array(depth: Int) throws(Failure) -> JSONValue {
    var result: [JSONValue] = []
    position += 1
    skipSpace()
    if take("]") { return .array(result) }
    // At the maximum depth, `value(depth:)` would report the depth instead of the truncation.
    guard peek != nil else { throw failure("it ends in the middle") }
    repeat {
      result.append(try value(depth: depth + 1))
      skipSpace()
    } while take(",")
    guard take("]") else { throw failure("“,” or “]” was expected") }
    return .array(result)
  }

  private mutating func number() throws(Failure) -> JSONValue {
    let start = position
    while let byte = peek, JSONReader.isOfNumber(byte) { position += 1 }
    let digits = UnsafeBufferPointer(rebasing: bytes[start..<position])
    let text = String(decoding: digits, as: UTF8.self)
    if let integer = Int64(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else {
      throw Failure(
        offset: start, message: "“\(text.prefix(32))” is not a number", isAtEnd: peek == nil)
    }
    return .number(number)
  }

  public static func isOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(Failure) -> JSONValue
  {
    let rest = bytes[position...].prefix(word.utf8CodeUnitCount)
    guard word.withUTF8Buffer({ rest.elementsEqual($0) }) else {
      throw Failure(
        offset: position, message: "a value was expected",
        isAtEnd: rest.count < word.utf8CodeUnitCount)
    }
    position += word.utf8CodeUnitCount
    return value
  }

  public mutating func string() throws(Failure) -> String {
    position += 1
    let start = position
    // Most strings have nothing to unescape.
    while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
      position += 1
    }
    if peek == UInt8(ascii: "\"") {
      let text = try text(UnsafeBufferPointer(rebasing: bytes[start..<position]), from: start)
      position += 1
      return text
    }
    var unescaped = Array(bytes[start..<position])
    while let byte = peek {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return try text(unescaped, from: start)
      case UInt8(ascii: "\\"): try escape(into: &unescaped)
      case 0..<0x20:
        position -= 1
        throw failure("a string must not contain a control character")
      default: unescaped.append(byte)
      }
    }
    throw failure("a string has no end")
  }

  private func text(
    _ bytes: some Collection<UInt8>, from start: Int
  ) throws(Failure) -> String {
    // Most text is ASCII, and needs no closer look.
    guard isStrict, !bytes.allSatisfy({ $0 < 0x80 }) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(offset: start, message: "a string is not UTF-8")
    }
    return text
  }

  private mutating func escape(into result: inout [UInt8]) throws(Failure) {
    let start = position - 1
    guard let byte = peek else { throw failure("a string has no end") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): result.append(byte)
    case UInt8(ascii: "n"): result.append(0x0A)
    case UInt8(ascii: "r"): result.append(0x0D)
    case UInt8(ascii: "t"): result.append(0x09)
    case UInt8(ascii: "b"): result.append(0x08)
    case UInt8(ascii: "f"): result.append(0x0C)
    case UInt8(ascii: "u"):
      guard var code = codeUnit() else { throw failure("\\u takes four hexadecimal digits") }
      if (0xD800..<0xDC00).contains(code) {
        guard take("\\"), take("u"), let low = codeUnit(), (0xDC00..<0xE000).contains(low) else {
          throw failure("an incomplete surrogate pair")
        }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw failure("an incomplete surrogate pair") }
      result.append(contentsOf: String(Character(scalar)).utf8)
    default: throw Failure(offset: start, message: "an unknown escape sequence")
    }
  }

  /// Takes the four hexadecimal digits of a code unit; nil if there are no such digits.
  private mutating func codeUnit() -> UInt32? {
    let digits = bytes[position...].prefix(4)
    position += digits.count
    guard digits.count == 4,
      digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
    else { return nil }
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  public var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  public mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  public mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  /// Skips the byte order mark that some programs put in front of text.
  public mutating func skipMark() {
    if position == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  public func failure(_ message: String) -> Failure {
    Failure(offset: position, message: message, isAtEnd: position >= bytes.count)
  }
}
