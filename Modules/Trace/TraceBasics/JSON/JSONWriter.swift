/// Writes JSON text. Fields keep the order in which they are written, and only the text is allocated.
public struct JSONWriter {
  public var output: TextOutput
  @usableFromInline var needsComma = false
  /// How many objects and lists are open.
  @usableFromInline var depth = 0
  @usableFromInline let isInHTML: Bool

  /// - Parameter isInHTML: whether the text goes into a script element of a page. No string then ends the element or
  ///   starts a comment. `raw` changes nothing.
  @inlinable public init(to output: TextOutput = TextOutput(), isInHTML: Bool = false) {
    self.output = output
    self.isInHTML = isInHTML
  }

  public var text: String { output.text }

  @inlinable public mutating func object(_ body: (inout JSONWriter) -> Void) {
    nest(0x7B, 0x7D, body)
  }
  @inlinable public mutating func array(_ body: (inout JSONWriter) -> Void) {
    nest(0x5B, 0x5D, body)
  }

  @inlinable mutating func nest(_ open: UInt8, _ close: UInt8, _ body: (inout JSONWriter) -> Void) {
    separate()
    output.append(byte: open)
    needsComma = false
    depth += 1
    body(&self)
    depth -= 1
    output.append(byte: close)
    needsComma = true
  }

  @inlinable public mutating func key(_ name: StaticString) {
    separate()
    output.append(byte: 0x22)
    name.withUTF8Buffer { output.append(contentsOf: $0) }
    output.append(byte: 0x22)
    output.append(byte: 0x3A)
    needsComma = false
  }

  /// Writes a key whose name is not known at compile time.
  @inlinable public mutating func key(named name: String) {
    string(name)
    output.append(byte: 0x3A)
    needsComma = false
  }

  @inlinable public mutating func null() { raw("null") }
  @inlinable public mutating func bool(_ bool: Bool) { raw(bool ? "true" : "false") }

  @inlinable public mutating func integer(_ integer: some BinaryInteger) {
    separate()
    if let small = Int64(exactly: integer) {
      output.append(small)
    } else {
      output.append(String(integer))
    }
  }

  /// Writes nanoseconds as microseconds with three decimals.
  @inlinable public mutating func microseconds(_ nanoseconds: Int64) {
    separate()
    let (whole, fraction) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
    if nanoseconds < 0 { output.append(byte: 0x2D) }
    output.append(whole, digits: 1)
    output.append(byte: 0x2E)
    output.append(fraction, digits: 3)
  }

  @inlinable public mutating func number(_ number: Double) {
    separate()
    output.append(number.jsonText)
  }

  public mutating func string(_ string: String) {
    separate()
    output.append(byte: 0x22)
    var string = string
    string.withUTF8 { utf8 in
      // Most strings have nothing to escape.
      guard
        utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C || $0 == 0x3C && isInHTML })
      else { return output.append(contentsOf: utf8) }
      for byte in utf8 { escape(byte) }
    }
    output.append(byte: 0x22)
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case 0x22, 0x5C:
      output.append(byte: 0x5C)
      output.append(byte: byte)
    case 0x3C where isInHTML: output.append("\\u003c")
    case 0x0A: output.append("\\n")
    case 0x0D: output.append("\\r")
    case 0x09: output.append("\\t")
    case 0..<0x20:
      output.append("\\u00")
      output.append(byte < 0x10 ? "0" : "")
      output.append(String(byte, radix: 16))
    default: output.append(byte: byte)
    }
  }

  /// Writes text that is JSON already.
  @inlinable public mutating func raw(_ json: String) {
    separate()
    output.append(json)
  }

  /// Ends a line. Outside any object or list, no comma comes before the next value, as JSON Lines
  /// requires. The output may pass the text so far to its sink.
  public mutating func endLine() {
    output.endPiece()
    if depth == 0 { needsComma = false }
  }

  /// Passes the rest of the text to the sink of the output.
  ///
  /// - Throws: the error that the sink threw.
  public mutating func finish() throws { try output.finish() }

  @inlinable mutating func separate() {
    if needsComma { output.append(byte: 0x2C) }
    needsComma = true
  }
}

extension JSONWriter {
  /// Writes a field whose name is not known at compile time.
  @inlinable public mutating func field(named name: String, _ value: (inout JSONWriter) -> Void) {
    key(named: name)
    value(&self)
  }

  @inlinable public mutating func field(_ name: StaticString, _ bool: Bool?) {
    key(name)
    if let bool { self.bool(bool) } else { null() }
  }

  @inlinable public mutating func field(_ name: StaticString, _ string: String?) {
    key(name)
    if let string { self.string(string) } else { null() }
  }

  @inlinable public mutating func field(_ name: StaticString, _ integer: some BinaryInteger) {
    key(name)
    self.integer(integer)
  }

  @inlinable public mutating func field(_ name: StaticString, _ integer: Int64?) {
    key(name)
    if let integer { self.integer(integer) } else { null() }
  }

  @inlinable public mutating func field(_ name: StaticString, _ number: Double?) {
    key(name)
    if let number { self.number(number) } else { null() }
  }

  @inlinable public mutating func field(_ name: StaticString, _ strings: [String]?) {
    guard let strings else {
      key(name)
      return null()
    }
    list(name, strings) { $0.string($1) }
  }

  /// Writes a field with an object.
  @inlinable public mutating func object(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
    key(name)
    object(body)
  }

  /// Writes a field with a list. `body` writes one value for each element.
  @inlinable public mutating func list<Elements: Sequence>(
    _ name: StaticString, _ elements: Elements, _ body: (inout JSONWriter, Elements.Element) -> Void
  ) {
    key(name)
    array { writer in for element in elements { body(&writer, element) } }
  }

  /// Writes a field with a list of objects. `body` writes the fields for each element. After each object, the output
  /// may pass the text so far to its sink.
  @inlinable public mutating func objects<Elements: Sequence>(
    _ name: StaticString, _ elements: Elements, _ body: (inout JSONWriter, Elements.Element) -> Void
  ) {
    list(name, elements) { writer, element in
      writer.object { body(&$0, element) }
      writer.output.passOn()
    }
  }
}

extension TextOutput {
  /// Appends JSON.
  ///
  /// - Parameter isInHTML: whether the text goes into a script element of a page.
  public mutating func json(isInHTML: Bool = false, _ body: (inout JSONWriter) -> Void) {
    var writer = JSONWriter(to: self, isInHTML: isInHTML)
    // This output is released, so that the writer changes its copy in place.
    self = TextOutput()
    body(&writer)
    self = writer.output
  }
}

extension Double {
  /// The number as JSON text; `null` if it is not finite.
  public var jsonText: String {
    guard isFinite else { return "null" }
    if self == rounded(), abs(self) < 1e15 { return String(Int64(self)) }
    return description
  }
}
