import PlaygroundLanguage
import Testing

@Suite struct ErrorTests {
  static func errors(_ text: String) -> [String] {
    Parser.parse(Source(name: "x.play", text: text)).diagnostics.map {
      "\($0.location.line):\($0.location.column) \($0.message)"
    }
  }

  @Test(arguments: [
    ("x =", "1:4 a pattern, a step or a list is missing"),
    ("x = 5", "1:5 “5” stands where a pattern, a step or a list is needed"),
    ("job = serial a &", "1:16 “&” cannot stand here"),
    ("serial job job", "1:12 “job” cannot stand here"),
    ("timeout(1s) serial job", "1:20 “job” cannot stand here"),
    ("größe: b", "1:6 “:” cannot stand here"), ("4 * a", "1:1 a number cannot begin a statement"),
    ("{ a }", "1:1 a block needs a pattern before it"), ("a\n  )", "2:3 “)” closes nothing"),
    ("serial a }", "1:10 “}” closes nothing"),
    ("serial job after x", "1:12 “after” cannot stand here"),
    ("serial job & names", "1:14 “names” cannot stand here"),
    ("after x", "1:1 “after” is a reserved word and cannot begin a statement"),
    ("a | b", "1:3 “|” means nothing here"),
    ("a \u{0} b", "1:3 the character U+0000 means nothing here"),
    ("serial { a: }", "1:13 “}” stands where a step is needed"),
    ("serial { a:\nb }", "1:12 a step is missing at the end of the line"),
    ("serial { a, b }", "1:11 “,” cannot stand here"), ("p { x = 3 }", "1:7 “=” cannot stand here"),
    ("p { a\nload X\n}", "2:1 “load” is a command word and cannot be a step"),
    ("p { a", "1:3 this “{” is never closed"), ("x = [\n a\n b\n", "1:5 this “[” is never closed"),
    ("serial { a ]", "1:12 “]” cannot close the “{” of line 1"),
    ("p { \"x\" }", "1:5 a string cannot be a step"),
    ("p { a with x }", "1:14 “}” stands where “:” behind the option’s name is needed"),
    ("p { a after b c }", "1:15 “c” cannot stand here"),
    ("p { a after b after c }", "1:15 “after” cannot stand here"),
    ("p(a)", "1:3 “a” needs the name of its parameter before it"),
    ("p(a: )", "1:6 “)” stands where a value is needed"), ("p(3", "1:2 this “(” is never closed"),
    ("p(3 4)", "1:5 “4” stands where “,” or “)” is needed"),
    ("p(3,)", "1:5 “)” stands where an argument is needed"),
    ("p { 3 sleep }", "1:7 “sleep” stands where “*” between a count and its step is needed"),
    ("p { 0 * a }", "1:5 “0” stands where a count of steps is needed"),
    ("p { 2.5 * a }", "1:5 “2.5” stands where a count of steps is needed"),
    ("a.b. c", "1:4 “.” means nothing here"),
  ])
  func expressions(_ text: String, _ error: String) { #expect(Self.errors(text) == [error]) }

  @Test(arguments: [
    ("sleep -5ms", "1:7 a duration cannot be negative"),
    ("sleep 36525.5d", "1:7 a duration is at most 100 years"),
    ("sleep 99999999999999999999999d", "1:7 a duration is at most 100 years"),
    ("v 1.", "1:3 “1.” is no number"), ("v 5sec", "1:3 “sec” is no unit"),
    ("v 1..2", "1:3 “1..2” is no number, duration, size or percentage"),
    ("v 1e3ms", "1:3 “1e3ms” is no number, duration, size or percentage"),
    ("v 1e999", "1:3 this number is too large"),
    ("v 9223372036854775808", "1:3 this number is too large"),
    (#"v "é\qb""#, #"1:5 “\q” is no escape"#), (#"v "a\u{zz}b""#, "1:5 this is no character"),
    (#"v "a\u{d800}""#, "1:5 this is no character"), (#"v "a\u12""#, "1:5 this is no character"),
    (#"v "a\u{41""#, "1:5 this is no character"), (#"v "a\u{}""#, "1:5 this is no character"),
    ("v \"abc\nnames", "1:3 this string is not closed"),
    (#"v "abc\""#, "1:3 this string is not closed"),
    ("ease 1 (1, 2, 3)", "1:8 a curve is four numbers, not 3"),
    ("ease 1 (1, 2ms, 3, 4)", "1:12 a curve’s numbers are plain numbers"),
  ])
  func literals(_ text: String, _ error: String) { #expect(Self.errors(text) == [error]) }

  @Test(arguments: [
    ("unload", "1:7 a plugin’s name is missing"), ("source", "1:7 a file is missing"),
    ("source a b", "1:10 “b” is too much: one file is enough"),
    ("trace", "1:6 a subcommand of trace is missing"),
    ("trace sav x", "1:7 “sav” is not a subcommand of trace"),
    ("set seed = 3", "1:10 “=” cannot stand here"),
    ("show x", "1:6 “x” stands where a run’s number is needed"),
    ("show 2 sav a", "1:8 “sav” stands where “lanes”, “save” or nothing is needed"),
    ("show save", "1:10 a file is missing"),
    ("show save a b", "1:13 “b” is too much: one file is enough"),
    ("show 0", "1:6 “0” stands where a run’s number is needed"),
    ("wait 1,", "1:8 a job’s number is missing"),
    ("replay x", "1:8 “x” stands where a schedule in quotes is needed"),
    ("compare job", "1:12 “under” is missing"),
    ("compare job\nnames", "1:12 “under” is missing at the end of the line"),
    ("compare job under", "1:18 a pattern is missing"),
    ("compare job under serial promise", "1:26 “promise” stands where “,” is needed"),
    (
      "compare job under serial { a }",
      "1:26 a compared pattern has no steps of its own: each gets those of the list"
    ),
    ("compare runs 2", "1:15 a second run’s number is missing"),
    ("expect makspan < 3", "1:8 “makspan” cannot be expected"),
    ("expect makespan = 3", "1:17 “=” stands where a comparison is needed"),
    ("expect value == [1 2]", "1:20 “2” stands where “,” or “]” is needed"),
    ("explore a strategy foo", "1:20 “foo” is not a strategy"),
    ("explore a runs 3 runs 4", "1:18 “runs” is there twice"),
    ("explore a checking { outcome == 1 }", "1:22 “outcome” stands where “expect” is needed"),
    ("explore a checking { expect order a", "1:20 this “{” is never closed"),
    ("simulate f with a", "1:18 “*” or “=” is missing"),
    ("simulate f with a * x", "1:21 “x” stands where a value is needed"),
    ("plugins now", "1:9 “now” cannot stand here"),
  ])
  func commands(_ text: String, _ error: String) { #expect(Self.errors(text) == [error]) }

  /// A reserved word is refused wherever a name is needed.
  @Test(arguments: Keyword.allCases)
  func reservedWords(_ keyword: Keyword) {
    let word = keyword.rawValue
    for text in [
      "\(word) = [a]", "p { \(word): a }", "p { a after \(word) }", "p(\(word): 1)",
      "p { a with \(word): 1 }",
    ] {
      let errors = Self.errors(text)
      #expect(errors.count == 1)
      #expect(errors.first?.contains("“\(word)” is a") == true, "\(text): \(errors)")
      #expect(errors.first?.hasSuffix("word and cannot be a name") == true, "\(text): \(errors)")
    }
  }

  /// A reserved word can be a label if it is quoted, so the error suggests quotes.
  @Test func aReservedWordMayBeALabelInQuotes() {
    let (_, diagnostics) = Parser.parse(Source(name: "test", text: "p { load: a }"))
    #expect(
      diagnostics.map(\.hint) == [
        "choose another label, or put this one in quotes: \"load\": …"
      ])
    #expect(Self.errors("p { \"load\": a }") == [])
  }

  @Test func severalErrorsAreFound() {
    let text = """
      serial {
        a: sleep 1xs
        b: sleep 2ms
        run: sleep 3ms; c: q { d: sleep -1s; e }
      }
      nope nope nope; names now
      expect makspan == 1
      p(3 x { a: sleep 1xs }
      quit
      """
    #expect(
      Self.errors(text) == [
        "2:12 “xs” is no unit", "4:3 “run” is a command word and cannot be a name",
        "4:35 a duration cannot be negative", "6:11 “nope” cannot stand here",
        "6:23 “now” cannot stand here", "7:8 “makspan” cannot be expected",
        "8:5 “x” stands where “,” or “)” is needed",
      ])
  }

  @Test func whatIsRightAroundAnErrorIsKept() {
    let trees = Outline.of("a\nb {\n c: x x x\n d\n e: q { ) ; f }\n}\n) g\nh")
    #expect(trees.suffix(3) == ["(a)", "(b {}[(d), e:(q {}[(f)])])", "(h)"])
  }

  @Test(arguments: [
    ("trace sav x", "did you mean “save”?"), ("expect makspan < 3", "did you mean “makespan”?"),
    ("set seed = 3", "a setting’s value stands behind its name: set clock virtual"),
    ("p { a\nload X }", "the “{” of line 1 is still open"),
    ("p { a b c }", "to put one pattern in another, write braces: timeout(1s) { serial job }"),
    ("x = 5", "a value is made by a step: value 5"),
  ])
  func hints(_ text: String, _ hint: String) {
    #expect(Parser.parse(Source(name: "x", text: text)).diagnostics.first?.hint == hint)
  }
}
