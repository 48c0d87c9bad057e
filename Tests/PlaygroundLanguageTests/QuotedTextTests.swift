import PlaygroundLanguage
import Testing

/// A text that is quoted and parsed again is unchanged, and each part of it is found at its place in the source.
@Suite struct QuotedTextTests {
  /// The argument of a command, with its source.
  static func word(_ command: String) throws -> (WordSyntax, Source) {
    let source = Source(name: "x", text: command)
    let (script, diagnostics) = Parser.parse(source)
    try #require(diagnostics.isEmpty, "\(command): \(diagnostics)")
    guard case .command(let syntax)? = script.statements.first?.kind,
      case .replay(let word) = syntax.kind
    else { throw SyntaxFailed() }
    return (word, source)
  }

  struct SyntaxFailed: Error {}

  @Test(arguments: [
    "", "plain", #"say "hi""#, #"back\slash"#, "tab\tnew\nline\r", "é ж 漢 👩‍👩‍👧",
    "\u{1B}[31m\u{0}\u{7F}",
    "right\u{202E}left\u{200B}", #"\u{41} stays"#, #"\""#, "# no comment", "a; b } ]",
  ])
  func `a text that is quoted and read again is the same`(text: String) throws {
    let quoted = QuotedText.quoted(text)
    let (word, source) = try Self.word("replay \(quoted)")
    #expect(word.text == text)
    #expect(QuotedText(word, in: source).text == text)
    let hasControls = quoted.unicodeScalars.contains {
      $0.properties.generalCategory == .control || $0.properties.generalCategory == .format
    }
    #expect(!hasControls, "nothing that a terminal acts on")
  }

  @Test func `random text that is quoted and read again is the same`() throws {
    var generator = GarbageTests.Generator(state: 7)
    let pieces =
      ["\"", "\\", "\\n", "\n", "\t", "u{", "}", "é", "\u{200D}", "x", " "].map { String($0) }
    for _ in 0..<300 {
      var text = ""
      for _ in 0..<Int.random(in: 0...30, using: &generator) {
        if Bool.random(using: &generator) {
          text += pieces.randomElement(using: &generator) ?? ""
        } else if let scalar = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &generator)) {
          text.unicodeScalars.append(scalar)
        }
      }
      let (word, source) = try Self.word("  replay \(QuotedText.quoted(text)) # end")
      #expect(Array(word.text.utf8) == Array(text.utf8))
      // Each scalar is found at its place, quoted as it would be alone.
      let found = QuotedText(word, in: source)
      var offset = 0
      for scalar in text.unicodeScalars {
        let alone = String(Character(scalar))
        let range = found.range(SourceRange(offset, offset + alone.utf8.count))
        #expect(
          "\"\(source.text(range))\"" == QuotedText.quoted(alone),
          "\(text.debugDescription) at \(offset)")
        offset += alone.utf8.count
      }
      let end = found.range(SourceRange(offset, offset))
      #expect(end.isEmpty && end.start == word.range.end - 1)
    }
  }
}
