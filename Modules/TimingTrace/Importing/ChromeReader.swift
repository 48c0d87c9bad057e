/// Reads the events of a Chrome trace, one after another, so that no tree of the whole file is ever built.
///
/// A trace may be an object with `traceEvents` or the list alone, which may lack its end: whoever wrote it may
/// have died.
struct ChromeReader {
  private(set) var names = ChromeEvent.Names()
  private(set) var events: [ChromeEvent] = []
  /// What this program wrote of its runs, if it was this program.
  private(set) var header: JSONValue?
  /// Whether the file ends in the middle.
  private(set) var isTruncated = false
  /// Whether the list of events, which is all there is, ends behind a whole one without its bracket: the format
  /// allows that, and many tracers leave it out.
  private(set) var lacksBracket = false

  /// Whether this program wrote it.
  private(set) var isOwn = false
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
    case nil: throw json.failure("it is empty, and no trace")
    default: throw json.failure("it is no trace of Chrome: a list or an object was expected")
    }
    json.skipSpace()
    guard isTruncated || lacksBracket || json.position == json.bytes.count else {
      throw json.failure("there is more behind the trace")
    }
  }

  private mutating func root() throws(JSONReader.Failure) {
    var hasEvents = false
    json.position += 1
    json.skipSpace()
    if json.take("}") { throw json.failure("it has no “traceEvents”") }
    repeat {
      json.skipSpace()
      guard json.peek == UInt8(ascii: "\"") else {
        throw json.failure("a name in quotation marks was expected")
      }
      let name = try json.string()
      json.skipSpace()
      guard json.take(":") else { throw json.failure("“:” was expected") }
      switch name {
      case "traceEvents":
        json.skipSpace()
        guard json.peek == UInt8(ascii: "[") else {
          throw json.failure("“traceEvents” takes a list")
        }
        hasEvents = true
        try list(mayLackBracket: false)
        if isTruncated { return }
      case "otherData":
        header = try json.value(depth: 1)
        if case .object(let fields)? = header {
          isOwn = fields["format"] == .string(ChromeRunHeader.format)
        }
      default: try json.skipValue(depth: 1)
      }
      json.skipSpace()
    } while json.take(",")
    guard json.take("}") else {
      // What stands behind the events matters little.
      if hasEvents, json.peek == nil {
        isTruncated = true
        return
      }
      throw json.failure("“,” or “}” was expected")
    }
    guard hasEvents else { throw json.failure("it has no “traceEvents”") }
  }

  private mutating func list(mayLackBracket: Bool) throws(JSONReader.Failure) {
    json.position += 1
    while true {
      json.skipSpace()
      if json.take("]") { return }
      guard json.peek != nil else { return endWithoutBracket(mayLackBracket) }
      do throws(JSONReader.Failure) {
        try event()
      } catch {
        // The last event, if the file ends in it.
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

  // MARK: Events

  private mutating func event() throws(JSONReader.Failure) {
    var event = ChromeEvent()
    event.offset = json.position
    guard json.take("{") else { throw json.failure("an event in braces was expected") }
    json.skipSpace()
    if json.take("}") { return }
    repeat {
      json.skipSpace()
      guard json.peek == UInt8(ascii: "\"") else {
        throw json.failure("a name in quotation marks was expected")
      }
      let name = try json.string()
      json.skipSpace()
      guard json.take(":") else { throw json.failure("“:” was expected") }
      json.skipSpace()
      try field(name, of: &event)
      json.skipSpace()
    } while json.take(",")
    guard json.take("}") else { throw json.failure("“,” or “}” was expected") }
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
    case "args": event.arguments = ChromeEvent.Arguments(try json.value(depth: 2), isOwn: isOwn)
    case "span" where isOwn: event.span = try whole().flatMap { UInt32(exactly: $0) }
    case "order" where isOwn: event.order = try whole().map { Int($0) }
    case "counter" where isOwn: event.counter = try text()
    default: try json.skipValue(depth: 2)
    }
  }

  private mutating func whole() throws(JSONReader.Failure) -> Int64? {
    if case .integer(let integer) = try json.value(depth: 2) { integer } else { nil }
  }

  /// What should be a string, or a number that stands for one.
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

extension String {
  /// No longer than anybody reads it, since each step's path holds it again.
  var shortened: String { utf8.count <= 1024 ? self : String(prefix(256)) + "…" }
}

extension JSONReader {
  /// Passes over a value without keeping it.
  mutating func skipValue(depth: Int) throws(Failure) { _ = try value(depth: depth) }

  /// A number of microseconds, or a string that holds one, in nanoseconds: exact as far as it has no more than
  /// three decimals. Nil for anything else.
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

  /// Digits with up to three decimals, and nothing else.
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
