internal import TraceBasics

/// Reads the events of a Chrome trace one by one, without ever building a tree of the whole file.
///
/// A trace may be an object with `traceEvents`, or only the list. The list may lack its end, since the program that
/// wrote it may have been killed. Nothing is read after the runs that this program embeds, because the events repeat
/// them.
struct ChromeReader {
  private(set) var names = ChromeEvent.Names()
  private(set) var events: [ChromeEvent] = []
  /// The runs that this program embedded. Nil if another program wrote the trace.
  private(set) var runs: SavedRuns?
  /// Whether the file is truncated.
  private(set) var isTruncated = false
  /// Whether the file is only a list of events, and ends after a complete event without the closing bracket. The format
  /// allows that, and many tracers omit the bracket.
  private(set) var lacksBracket = false
  private var json: JSONReader

  /// - Complexity: O(n) in time, and in memory.
  static func read(_ bytes: [UInt8]) throws(JSONReader.Failure) -> ChromeReader {
    let outcome: Result<ChromeReader, JSONReader.Failure> = bytes.withUnsafeBufferPointer { bytes in
      var reader = ChromeReader(json: JSONReader(bytes: bytes))
      do throws(JSONReader.Failure) {
        try reader.document()
        return .success(reader)
      } catch { return .failure(error) }
    }
    return try outcome.get()
  }

  private init(json: JSONReader) { self.json = json }

  private mutating func document() throws(JSONReader.Failure) {
    json.skipMark()
    json.skipSpace()
    switch json.peek {
    case UInt8(ascii: "["): try list(mayLackBracket: true)
    case UInt8(ascii: "{"): try root()
    case nil: throw json.failure("it is empty, not a trace")
    default: throw json.failure("it is not a Chrome trace: a list or an object was expected")
    }
    json.skipSpace()
    guard isDone || lacksBracket || json.position == json.bytes.count else {
      throw json.failure("there is more text after the trace")
    }
  }

  /// Whether the rest of the file does not matter.
  private var isDone: Bool { isTruncated || runs != nil }

  private mutating func root() throws(JSONReader.Failure) {
    var hasEvents = false
    try fields { reader, name throws(JSONReader.Failure) in
      switch name {
      case "traceEvents":
        guard reader.json.peek == UInt8(ascii: "[") else {
          throw reader.json.failure("“traceEvents” takes a list")
        }
        hasEvents = true
        try reader.list(mayLackBracket: false)
      case "otherData": try reader.otherData()
      default: try reader.json.skipValue(depth: 1)
      }
    }
    if isDone { return }
    // Nothing after the events matters.
    if hasEvents, json.peek == nil {
      isTruncated = true
      return
    }
    try endObject()
    guard hasEvents else { throw json.failure("it has no “traceEvents”") }
  }

  /// Reads the fields of an object, but not the brace that ends it.
  ///
  /// - Parameter body: is called with the name of each field, and reads the value of that field.
  private mutating func fields(
    _ body: (inout ChromeReader, String) throws(JSONReader.Failure) -> Void
  ) throws(JSONReader.Failure) {
    json.position += 1
    json.skipSpace()
    if json.peek == UInt8(ascii: "}") { return }
    repeat {
      try body(&self, try json.fieldName())
      if isDone { return }
      json.skipSpace()
    } while json.take(",")
  }

  private mutating func endObject() throws(JSONReader.Failure) {
    guard json.take("}") else { throw json.failure("“,” or “}” was expected") }
  }

  // MARK: - Embedded runs

  private mutating func otherData() throws(JSONReader.Failure) {
    guard json.peek == UInt8(ascii: "{") else { return try json.skipValue(depth: 1) }
    var isOwn = false
    do throws(JSONReader.Failure) {
      try fields { reader, name throws(JSONReader.Failure) in
        switch name {
        case "format":
          isOwn = try reader.json.value(depth: 2) == .string(ChromeTrace.format)
        case "runs" where isOwn: reader.runs = try reader.embeddedRuns()
        default: try reader.json.skipValue(depth: 2)
        }
      }
      if !isDone { try endObject() }
    } catch {
      let reason = error.isAtEnd ? "the file ends in the middle of it" : error.message
      throw JSONReader.Failure(
        offset: error.offset,
        message:
          "its “otherData” cannot be read: \(reason). Copy the whole file, or export the runs "
          + "again")
    }
  }

  /// Reads the lines of a file of runs. They are elements of a list here.
  private mutating func embeddedRuns() throws(JSONReader.Failure) -> SavedRuns {
    json.isStrict = true
    defer { json.isStrict = false }
    var lines = RunLines()
    guard json.take("[") else { throw json.failure("“runs” takes a list") }
    repeat {
      json.skipSpace()
      let start = json.position
      let line = try json.value(depth: 0)
      do throws(JSONFields.Mismatch) { try lines.add(line) } catch {
        throw JSONReader.Failure(offset: start, message: error.message)
      }
      json.skipSpace()
    } while json.take(",")
    guard json.take("]") else { throw json.failure("“,” or “]” was expected") }
    guard let saved = lines.saved else { throw json.failure("“runs” is empty") }
    return saved
  }

  // MARK: - Events

  private mutating func list(mayLackBracket: Bool) throws(JSONReader.Failure) {
    json.position += 1
    while true {
      json.skipSpace()
      if json.take("]") { return }
      guard json.peek != nil else { return endWithoutBracket(mayLackBracket) }
      do throws(JSONReader.Failure) {
        try event()
      } catch {
        // If the file ends in the middle of an event, that event is left out.
        guard error.isAtEnd else { throw error }
        isTruncated = true
        return
      }
      json.skipSpace()
      if json.take(",") { continue }
      if json.take("]") { return }
      guard json.peek == nil else { throw json.failure("“,” or “]” was expected") }
      return endWithoutBracket(mayLackBracket)
    }
  }

  private mutating func endWithoutBracket(_ isAllowed: Bool) {
    if isAllowed { lacksBracket = true } else { isTruncated = true }
  }

  private mutating func event() throws(JSONReader.Failure) {
    var event = ChromeEvent()
    event.offset = json.position
    guard json.peek == UInt8(ascii: "{") else {
      throw json.failure("an event in braces was expected")
    }
    try fields { reader, name throws(JSONReader.Failure) in try reader.field(name, of: &event) }
    try endObject()
    // A slice cannot end before it starts.
    if event.phase == UInt8(ascii: "X"), event.duration ?? 0 < 0 { event.time = nil }
    events.append(event)
  }

  private mutating func field(
    _ name: String, of event: inout ChromeEvent
  ) throws(JSONReader.Failure) {
    switch name {
    case "ph":
      if json.peek == UInt8(ascii: "\"") {
        event.phase = try json.string().utf8.first ?? 0
      } else {
        try json.skipValue(depth: 2)
      }
    case "name": event.name = try text()
    case "cat": event.category = try text()
    case "pid": event.process = try text()
    case "tid": event.thread = try text()
    case "ts": event.time = try json.microseconds()
    case "dur": event.duration = try json.microseconds()
    case "id": event.identity = try text()
    case "id2": event.identity = try scopedIdentity()
    case "bind_id": event.binding = try text()
    case "flow_in": event.flowsIn = try flag()
    case "flow_out": event.flowsOut = try flag()
    case "bp": event.bindsToEnclosing = try text() == names.number(of: "e")
    case "args": event.arguments = ChromeEvent.Arguments(try json.value(depth: 2))
    default: try json.skipValue(depth: 2)
    }
  }

  /// Reads a string, or a number in place of one.
  private mutating func text() throws(JSONReader.Failure) -> Int32 {
    switch try json.value(depth: 2) {
    case .string(let string): names.number(of: string.shortened)
    case .integer(let integer): names.number(of: String(integer))
    case .number(let number): names.number(of: String(number))
    default: ChromeEvent.Names.none
    }
  }

  private mutating func scopedIdentity() throws(JSONReader.Failure) -> Int32 {
    guard case .object(let fields) = try json.value(depth: 2),
      case .string(let text)? = fields["local"] ?? fields["global"]
    else { return ChromeEvent.Names.none }
    return names.number(of: text.shortened)
  }

  private mutating func flag() throws(JSONReader.Failure) -> Bool {
    switch try json.value(depth: 2) {
    case .bool(let bool): bool
    case .integer(let integer): integer != 0
    default: false
    }
  }
}

extension JSONReader {
  /// Skips a value.
  mutating func skipValue(depth: Int) throws(Failure) { _ = try value(depth: depth) }

  /// Reads a number of microseconds, or a string with such a number, and converts it to nanoseconds. The result is
  /// exact for up to three decimals. Nil for any other value.
  mutating func microseconds() throws(Failure) -> Int64? {
    let start = position
    while let byte = peek, JSONReader.isOfNumber(byte) { position += 1 }
    if position > start, let exact = JSONReader.nanoseconds(bytes[start..<position]) {
      return exact
    }
    position = start
    switch try value(depth: 2) {
    case .integer(let integer): return JSONReader.clamped(Double(integer) * 1000)
    case .number(let number): return JSONReader.clamped(number * 1000)
    case .string(let text):
      let exact = Array(text.utf8).withUnsafeBufferPointer { JSONReader.nanoseconds($0[...]) }
      return exact ?? Double(text).flatMap { JSONReader.clamped($0 * 1000) }
    default: return nil
    }
  }

  private static func clamped(_ nanoseconds: Double) -> Int64? {
    nanoseconds.isFinite ? Int64(exactly: nanoseconds.rounded()) : nil
  }

  /// The nanoseconds for digits with up to three decimals. Nil for any other text.
  private static func nanoseconds(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
    var rest = text
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest = rest.dropFirst() }
    guard let first = rest.first, first != UInt8(ascii: ".") else { return nil }
    var value: Int64 = 0
    var decimals: Int?
    for byte in rest {
      if byte == UInt8(ascii: "."), decimals == nil {
        decimals = 0
        continue
      }
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      if let known = decimals {
        guard known < 3 else { return nil }
        decimals = known + 1
      }
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
      guard !overflow, !carry else { return nil }
      value = sum
    }
    for _ in (decimals ?? 0)..<3 {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      guard !overflow else { return nil }
      value = product
    }
    return isNegative ? -value : value
  }
}
