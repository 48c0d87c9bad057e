import PlaygroundLanguage
import Testing

@Suite struct SourcePrinterTests {
  static func printed(_ text: String, limit: Int = .max) -> String? {
    let source = Source(name: "x", text: text)
    let (script, diagnostics) = Parser.parse(source)
    guard diagnostics.isEmpty, case .run(let expression, _)? = script.statements.first?.kind
    else { return nil }
    return SourcePrinter(source, limit: limit).text(expression)
  }

  @Test(arguments: [
    ("serial   job  # x", "serial job"), ("serial( )", "serial"),
    (
      "serial {\n  a: sleep 20ms # one\n\n  b: 2*work 1.50ms;\n}",
      "serial { a: sleep 20ms; b: 2 * work 1.50ms }"
    ),
    ("[a;b]", "[ a; b ]"), ("p { }", "p { }"), ("p []", "p [ ]"),
    (
      "g(width:2,on:main){\"a b\":x after c,\"d\\n\" with n:1,m:w}",
      "g(width: 2, on: main) { \"a b\": x after c, \"d\\n\" with n: 1, m: w }"
    ),
    ("p { a with x: 1 after b }", "p { a after b with x: 1 }"),
    ("animate(curve:(0.250,0.1,\n0.25,1)) { a }", "animate(curve: (0.25, 0.1, 0.25, 1)) { a }"),
    ("a() (0,0,1,1)", "a() (0, 0, 1, 1)"),
    ("sh \"a;  b\" 320x200 50% -1 true", "sh \"a;  b\" 320x200 50% -1 true"),
    ("p { q { r { a; [b\nc] } } }", "p { q { r { a; [ b; c ] } } }"),
  ])
  func `a printed script is in normal form and means the same`(_ text: String, _ normal: String) {
    #expect(Self.printed(text) == normal)
    #expect(Self.printed(normal) == normal)
    #expect(Outline.of(text) == Outline.of(normal))
  }

  @Test func `long text is truncated`() {
    let text = "serial { " + String(repeating: "größe; ", count: 1000) + "}"
    let short = Self.printed(text, limit: 20)
    #expect(short == "serial { größe; gr…")
    #expect(Self.printed("serial job", limit: 10) == "serial job")
  }
}
