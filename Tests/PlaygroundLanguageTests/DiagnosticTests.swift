import PlaygroundLanguage
import Testing

@Suite struct DiagnosticTests {
  static func first(_ text: String) -> String? {
    Parser.parse(Source(name: "x.play", text: text)).diagnostics.first?.rendered()
  }

  @Test func `shows the line, a caret and the fix`() {
    let source = Source(name: "x.play", text: "# one\n\nserial { a: seral 1ms }\r\nquit\n")
    let diagnostic = Diagnostic(
      "there is no pattern or name “seral”", at: SourceRange(19, 24), in: source,
      unknown: "seral", among: ["sleep", "serial", "settled"])
    #expect(
      diagnostic.rendered() == """
        x.play:3:13: error: there is no pattern or name “seral”
          serial { a: seral 1ms }
                      ^~~~~
          did you mean “serial”?
        """)
  }

  @Test func `tabs and wide characters keep the caret in place`() {
    #expect(
      Self.first("\tsh \"日本é\" 5xs")?.split(separator: "\n").dropFirst() == [
        "  \tsh \"日本é\" 5xs", "  \t           ^~~",
        "  a duration’s unit is ns, us, ms, s, min, h or d",
      ])
  }

  @Test func `a long line is shown as an excerpt`() throws {
    let text =
      "serial { " + String(repeating: "a; ", count: 10_000) + "5xs * b; "
      + String(repeating: "c; ", count: 10_000) + "}"
    let lines = try #require(Self.first(text)).split(separator: "\n")
    #expect(lines[0] == "x.play:1:30010: error: “xs” is not a unit")
    #expect(lines[1].hasPrefix("  …") && lines[1].hasSuffix("…"))
    #expect(lines[1].count <= 124)
    let caret = try #require(lines[2].firstIndex(of: "^"))
    let column = lines[2].distance(from: lines[2].startIndex, to: caret)
    #expect(lines[1].dropFirst(column).hasPrefix("5xs"))
  }

  @Test func `an error over several lines marks the first`() {
    let source = Source(name: "x", text: "p(1,\n2)")
    let lines = Diagnostic("no", at: SourceRange(1, 7), in: source).rendered()
    #expect(lines == "x:1:2: error: no\n  p(1,\n   ^~~")
  }

  @Test func `control characters do not reach the terminal`() {
    #expect(
      Self.first("a \u{1B}[31m")
        == "x.play:1:3: error: the character U+001B means nothing here\n  a \u{FFFD}[31m\n    ^")
  }

  @Test(
    arguments: [
      ([0x61, 0x0A, 0xFF, 0x62], 2), ([0xC3], 0), ([0x61, 0xE2, 0x82], 1), ([0xED, 0xA0, 0x80], 0),
      ([0x41, 0xC0, 0x80], 1),
    ] as [([UInt8], Int)])
  func `bytes that are not UTF-8 are an error with their offset`(_ bytes: [UInt8], _ offset: Int) {
    let error = #expect(throws: Diagnostic.self) { try Source(name: "x", bytes: bytes) }
    #expect(error?.message == "the byte at offset \(offset) is not UTF-8")
  }

  @Test func `bytes that are UTF-8 are read`() throws {
    let source = try Source(name: "x", bytes: [0xEF, 0xBB, 0xBF] + Array("größe\n".utf8))
    let (script, diagnostics) = Parser.parse(source)
    #expect(diagnostics.isEmpty)
    #expect(script.statements.map { source.text($0.range) } == ["größe"])
  }

  @Test(arguments: [
    ("seral", "serial"), ("sieral", "serial"), ("SERIAL", "serial"), ("prom", "promise"),
    ("promsie", "promise"), ("bonded", "bounded"), ("al", "all"), ("al1", "all"),
    ("zzz", nil), ("", nil), ("x", nil), ("completely-different", nil),
  ])
  func `the nearest name is found`(_ name: String, _ wanted: String?) {
    #expect(nearest(to: name, among: ["serial", "promise", "bounded", "all", "render"]) == wanted)
  }
}
