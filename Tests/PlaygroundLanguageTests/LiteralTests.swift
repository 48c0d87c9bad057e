import PlaygroundLanguage
import Testing

@Suite struct LiteralTests {
  @Test(arguments: [
    ("0s", 0), ("1ns", 1), ("20ms", 20_000_000), ("1.5ms", 1_500_000), ("0.1s", 100_000_000),
    ("3us", 3_000), ("3\u{B5}s", 3_000), ("3\u{3BC}s", 3_000), ("2min", 120_000_000_000),
    ("1h", 3_600_000_000_000), ("0.5d", 43_200_000_000_000), ("1.000000001s", 1_000_000_001),
    ("0.3s", 300_000_000), ("4.35s", 4_350_000_000), ("1.4ns", 1), ("1.5ns", 2),
    ("123456789.123456789s", 123_456_789_123_456_789),
    ("0.00000000000000000000000001d", 0), ("000020ms", 20_000_000),
    ("36525d", 3_155_760_000_000_000_000),
  ])
  func `durations in every unit are parsed`(_ text: String, _ nanoseconds: Int64) {
    #expect(Outline.of("sleep \(text)") == ["(sleep \(nanoseconds)ns)"])
  }

  @Test(arguments: [
    ("0", Literal.Value.integer(0)), ("-17", .integer(-17)),
    ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
    ("0.5", .real(0.5)), ("-2.25", .real(-2.25)), ("1e3", .real(1000)), ("2.5e-3", .real(0.0025)),
    ("320x200", .size(width: 320, height: 200)), ("0x10", .size(width: 0, height: 10)),
    ("50%", .percent(50)),
    ("-12.5%", .percent(-12.5)), ("true", .boolean(true)), ("false", .boolean(false)),
    (#""""#, .string("")), (#""a b""#, .string("a b")),
    (#""\"\\\n\t\u{e9}\u{1F600}""#, .string("\"\\\n\té😀")),
    (##""# no comment; [{""##, .string("# no comment; [{")),
  ])
  func `other literals are parsed`(_ text: String, _ value: Literal.Value) {
    let source = Source(name: "x", text: "v \(text) ")
    let (script, diagnostics) = Parser.parse(source)
    #expect(diagnostics.isEmpty)
    guard case .run(.call(let call), _)? = script.statements.first?.kind else {
      Issue.record("not a call")
      return
    }
    #expect(call.literals.map(\.value) == [value])
    #expect(call.literals.map { source.text($0.range) } == [text])
  }

  @Test(arguments: ["(0, -0.5, 1, 1.5)", "(0,-0.5,1,1.5)", "(\n0, -0.5, # two\n1,\n1.5\n)"])
  func `curves are parsed`(_ text: String) {
    #expect(Outline.of("ease(by: \(text))") == ["(ease (by=curve(0.0 -0.5 1.0 1.5)))"])
    #expect(Outline.of("ease 1 \(text)") == ["(ease 1 curve(0.0 -0.5 1.0 1.5))"])
  }

  @Test func `values of the command line are parsed`() throws {
    func value(_ text: String) -> String {
      do {
        return Outline.value(try Parser.parseValue(Source(name: "--set", text: text)))
      } catch {
        return error.message
      }
    }
    #expect(value("10s") == "10000000000ns")
    #expect(value("virtual") == "'virtual")
    #expect(value("any-failed") == "'any-failed")
    #expect(value("") == "a value is missing")
    #expect(value("1 2") == "“2” is not allowed here")
    #expect(value("5sec") == "“sec” is not a unit")
  }
}
