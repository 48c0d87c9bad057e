/// Writes JSON text by hand: fields keep the order they are written in, and nothing is allocated but
/// the text.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

  mutating func object(_ body: (inout JSONWriter) -> Void) { nest(0x7B, 0x7D, body) }
  mutating func array(_ body: (inout JSONWriter) -> Void) { nest(0x5B, 0x5D, body) }

  private mutating func nest(_ open: UInt8, _ close: UInt8, _ body: (inout JSONWriter) -> Void) {
    separate()
    bytes.append(open)
    needsComma = false
    body(&self)
    bytes.append(close)
    needsComma = true
  }

  mutating func key(_ name: StaticString) {
    separate()
    bytes.append(0x22)
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(0x22)
    bytes.append(0x3A)
    needsComma = false
  }

  /// A key that is not known beforehand.
  mutating func key(named name: String) {
    string(name)
    bytes.append(0x3A)
    needsComma = false
  }

  mutating func null() { raw("null") }
  mutating func bool(_ bool: Bool) { raw(bool ? "true" : "false") }

  mutating func integer(_ integer: some BinaryInteger) {
    separate()
    append(String(integer))
  }

  mutating func number(_ number: Double) {
    separate()
    append(number.jsonText)
  }

  mutating func string(_ string: String) {
    separate()
    bytes.append(0x22)
    var string = string
    string.withUTF8 { utf8 in
      for byte in utf8 {
        switch byte {
        case 0x22, 0x5C:
          bytes.append(0x5C)
          bytes.append(byte)
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        case 0..<0x20:
          append("\\u00")
          append(byte < 0x10 ? "0" : "")
          append(String(byte, radix: 16))
        default: bytes.append(byte)
        }
      }
    }
    bytes.append(0x22)
  }

  /// Text that is JSON already.
  mutating func raw(_ json: String) {
    separate()
    append(json)
  }

  /// A line break where JSON does not mind one.
  mutating func breakLine() { bytes.append(0x0A) }

  private mutating func separate() {
    if needsComma { bytes.append(0x2C) }
    needsComma = true
  }

  private mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }
}

extension JSONWriter {
  mutating func field(_ name: StaticString, _ string: String) {
    key(name)
    self.string(string)
  }

  mutating func field(_ name: StaticString, _ string: String?) {
    key(name)
    if let string { self.string(string) } else { null() }
  }

  mutating func field(_ name: StaticString, _ integer: some BinaryInteger) {
    key(name)
    self.integer(integer)
  }

  mutating func field(_ name: StaticString, _ integer: Int64?) {
    key(name)
    if let integer { self.integer(integer) } else { null() }
  }

  mutating func field(_ name: StaticString, _ number: Double?) {
    key(name)
    if let number { self.number(number) } else { null() }
  }

  mutating func field(_ name: StaticString, _ strings: [String]) {
    key(name)
    array { writer in for string in strings { writer.string(string) } }
  }
}

extension Double {
  /// The number as JSON spells it; what JSON cannot spell is null.
  var jsonText: String {
    guard isFinite else { return "null" }
    if self == rounded(), abs(self) < 1e15 { return String(Int64(self)) }
    return description
  }
}
