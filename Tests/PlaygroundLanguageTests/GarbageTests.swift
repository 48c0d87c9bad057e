import PlaygroundLanguage
import Testing

/// For any text, parsing ends, and every range that it yields lies inside the text.
@Suite struct GarbageTests {
  /// A generator with a fixed seed (SplitMix64), so that failures can be repeated.
  struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  static let script =
    DesignExamplesTests.example + """

      explore serial { a: p(x: (0, 0, 1, 1)) } runs 3 checking { expect order a, "b\\u{e9}"/c
       expect value == [1, [none]] } inject cancel
      simulate f.json with fetch * 0.5, workers = 8; trace export --format chrome "o p.json" # end
      expect ratio bounded(2) < 1.5; set clock virtual; wait 1, 2; g(w: 320x200) { "é": 3 * q [µ] after b with t: any }
      """

  func check(_ text: String) {
    let source = Source(name: "x", text: text)
    let (script, diagnostics) = Parser.parse(source)
    for diagnostic in diagnostics {
      #expect(diagnostic.range.end <= source.bytes.count)
      #expect(!diagnostic.rendered().isEmpty)
    }
    for statement in script.statements {
      #expect(statement.range.end <= source.bytes.count)
      guard diagnostics.isEmpty, case .run(let expression, _) = statement.kind else { continue }
      let printed = SourcePrinter(source).text(expression)
      #expect(SourcePrinterTests.printed(printed) == printed, "\(text)")
    }
    _ = Parser.needsMore(text)
    let context = CompletionContext(textBeforeCursor: text)
    #expect(context.range.end <= source.bytes.count)
    #expect(context.text == source.text(context.range))
  }

  @Test func `every beginning of a script is parsed without a crash`() {
    let script = Self.script
    #expect(ErrorTests.errors(script) == [])
    for end in script.indices { check(String(script[..<end])) }
  }

  @Test func `every end of a script is parsed without a crash`() {
    let script = Self.script
    for start in script.indices { check(String(script[start...])) }
  }

  @Test func `random bytes are parsed without a crash`() {
    var generator = Generator(state: 1)
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...80, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      check(String(decoding: bytes, as: UTF8.self))
      _ = try? Source(name: "x", bytes: bytes)
    }
  }

  @Test func `random tokens are parsed without a crash`() {
    let tokens =
      [
        "{", "}", "[", "]", "(", ")", ":", ",", ";", "\n", "*", "&", "=", "==", "<", "/", "\"",
        "\\",
      ]
      + [
        "a", "b.c", "3", "2.5", "20ms", "\"s\"", "320x200", "50%", "# c", "é", " ", " ", "-", ".",
        "\r\n",
      ]
      + Keyword.allCases.map(\.rawValue) + ExpectationSyntax.subjects
    var generator = Generator(state: 2)
    for _ in 0..<4_000 {
      let count = Int.random(in: 0...30, using: &generator)
      let blank = Bool.random(using: &generator) ? " " : ""
      check(
        (0..<count).map { _ in tokens.randomElement(using: &generator)! }.joined(separator: blank))
    }
  }

  @Test func `damaged scripts are parsed without a crash`() {
    var generator = Generator(state: 3)
    let script = Array(Self.script.utf8)
    for _ in 0..<2_000 {
      var bytes = script
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let index = bytes.indices.randomElement(using: &generator)!
        switch Int.random(in: 0...2, using: &generator) {
        case 0: bytes.remove(at: index)
        case 1: bytes[index] = UInt8.random(in: 0...127, using: &generator)
        default: bytes.insert(script.randomElement(using: &generator)!, at: index)
        }
      }
      check(String(decoding: bytes, as: UTF8.self))
    }
  }
}
