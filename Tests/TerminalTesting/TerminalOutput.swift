/// The output of a program so far.
struct TerminalOutput {
  /// All output, without escape sequences and with plain newlines.
  var transcript: String { past + recent }
  private(set) var screen: Screen
  private(set) var raw: [UInt8] = []
  /// Set when the program has ended and no more output can come.
  var exitCode: Int32?

  /// The transcript up to the end of the last match, and the transcript after it.
  private var past = ""
  private var recent = ""
  private var undecoded: [UInt8] = []
  private var strip = Strip.text
  private enum Strip { case text, carriageReturn, escape, control, command }

  init(columns: Int, rows: Int) {
    screen = Screen(columns: columns, rows: rows)
  }

  mutating func resize(columns: Int, rows: Int) { screen.resize(columns: columns, rows: rows) }

  mutating func append(_ bytes: some Sequence<UInt8>) {
    raw += bytes
    undecoded += bytes
    let text = String(decoding: undecoded.prefix(wholeCharacters), as: UTF8.self)
    undecoded.removeFirst(wholeCharacters)
    screen.write(text)
    for scalar in text.unicodeScalars { appendStripped(scalar) }
  }

  /// Finds `text` after the last match, and makes it the new last match. Returns the text from the end of the old match
  /// to the end of the new one.
  mutating func match(_ text: String) -> String? {
    guard let range = recent.firstRange(of: text) else { return nil }
    let upToMatch = String(recent[..<range.upperBound])
    recent.removeSubrange(..<range.upperBound)
    past += upToMatch
    return upToMatch
  }

  /// The number of bytes that form whole characters; the first bytes of an incomplete character do not count.
  private var wholeCharacters: Int {
    for back in 1...4 where back <= undecoded.count {
      let byte = undecoded[undecoded.count - back]
      if byte & 0b1100_0000 == 0b1000_0000 { continue }
      let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
      return length > back ? undecoded.count - back : undecoded.count
    }
    return undecoded.count
  }

  /// A carriage return without a newline after it starts the line again; in the transcript that is a new line.
  private mutating func appendStripped(_ scalar: Unicode.Scalar) {
    switch strip {
    case .carriageReturn where scalar == "\r":
      break
    case .text, .carriageReturn:
      if strip == .carriageReturn, scalar != "\n", !atLineStart { add("\n") }
      strip = .text
      switch scalar {
      case "\u{1B}": strip = .escape
      case "\r": strip = .carriageReturn
      case "\u{8}": if !recent.isEmpty, !atLineStart { recent.removeLast() }
      case "\n", "\t": add(scalar)
      case _ where scalar.value < 0x20 || scalar.value == 0x7F: break
      default: add(scalar)
      }
    case .escape:
      strip = scalar == "[" ? .control : scalar == "]" ? .command : .text
    case .control:
      if ("@"..."~").contains(scalar) { strip = .text }
    case .command:
      if scalar == "\u{7}" { strip = .text }
      if scalar == "\u{1B}" { strip = .escape }
    }
  }

  private mutating func add(_ scalar: Unicode.Scalar) { recent.unicodeScalars.append(scalar) }

  private var atLineStart: Bool { (recent.last ?? past.last ?? "\n").isNewline }
}
