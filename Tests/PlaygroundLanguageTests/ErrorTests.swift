import PlaygroundLanguage
import Testing

@Suite struct ErrorTests {
  static func errors(_ text: String) -> [String] {
    Parser.parse(Source(name: "x.play", text: text)).diagnostics.map {
      "\($0.location.line):\($0.location.column) \($0.message)"
    }
  }

  @Test(arguments: [
    // In expressions.
    ("x =", "1:4 a pattern, a step or a list is missing"),
    ("x = 5", "1:5 expected a pattern, a step or a list, found “5”"),
    ("job = serial a &", "1:16 “&” is not allowed here"),
    ("serial job job", "1:12 “job” is not allowed here"),
    ("timeout(1s) serial job", "1:20 “job” is not allowed here"),
    ("größe: b", "1:6 “:” is not allowed here"),
    ("4 * a", "1:1 a number cannot start a statement"),
    ("{ a }", "1:1 a block needs a pattern before it"), ("a\n  )", "2:3 “)” closes nothing"),
    ("serial a }", "1:10 “}” closes nothing"),
    ("serial job after x", "1:12 “after” is not allowed here"),
    ("serial job & names", "1:14 “names” is not allowed here"),
    ("after x", "1:1 “after” is a reserved word and cannot start a statement"),
    ("a | b", "1:3 “|” means nothing here"),
    ("a \u{0} b", "1:3 the character U+0000 means nothing here"),
    ("serial { a: }", "1:13 expected a step, found “}”"),
    ("serial { a:\nb }", "1:12 a step is missing at the end of the line"),
    ("serial { a, b }", "1:11 “,” is not allowed here"),
    ("p { x = 3 }", "1:7 “=” is not allowed here"),
    ("p { a\nload X\n}", "2:1 “load” is a command word and cannot be a step"),
    ("p { a", "1:3 this “{” is never closed"),
    ("x = [\n a\n b\n", "1:5 this “[” is never closed"),
    ("serial { a ]", "1:12 “]” cannot close the “{” of line 1"),
    ("serial { a )", "1:12 “)” cannot close the “{” of line 1"),
    ("serial [\n a: b\n)", "3:1 “)” cannot close the “[” of line 1"),
    ("p { \"x\" }", "1:5 a string cannot be a step"),
    ("p { a with x }", "1:14 expected “:” after the option’s name, found “}”"),
    ("p { a after b c }", "1:15 “c” is not allowed here"),
    ("p { a after b after c }", "1:15 “after” is not allowed here"),
    ("p(a)", "1:3 “a” is neither a value nor a named argument"),
    ("race(a, b)", "1:6 “a” is neither a value nor a named argument"),
    ("serial { a sleep 1ms }", "1:10 “:” or “{” is missing after “a”"),
    ("serial { a print \"x\"; b: value 1 }", "1:10 “:” or “{” is missing after “a”"),
    ("race { 🙂: sleep 1ms }", "1:8 “🙂” means nothing here"),
    ("race { a/b: c }", "1:9 “/” is not allowed here"),
    ("race { my label: c }", "1:8 “my label” is not a label: there is a space in it"),
    ("race { d; fetch page 1: c }", "1:11 “fetch page 1” is not a label: there is a space in it"),
    ("race { 1st: c }", "1:8 “1st” is not a label: it begins with a digit"),
    ("race { sleep 1ms b: c }", "1:19 “:” is not allowed here"),
    ("race { a after b c: d }", "1:18 “c” is not allowed here"),
    ("p(a: )", "1:6 expected a value, found “)”"), ("p(3", "1:2 this “(” is never closed"),
    ("p(3 4)", "1:5 expected “,” or “)”, found “4”"),
    ("p(3,)", "1:5 expected an argument, found “)”"),
    ("p { 3 sleep }", "1:7 expected “*” between a count and its step, found “sleep”"),
    ("value [1, 2]", "1:8 a number cannot be a step"),
    ("p { a: 3 }", "1:8 a number cannot be a step"),
    ("p { 0 * a }", "1:5 expected a count of steps, found “0”"),
    ("p { 2.5 * a }", "1:5 expected a count of steps, found “2.5”"),
    ("a.b. c", "1:4 “.” means nothing here"),
    ("timeout 1 s { sleep 2s }", "1:9 “1 s” is not a duration: there is a space in it"),
    (
      "p { timeout 1.5 min [a] after b }",
      "1:13 “1.5 min” is not a duration: there is a space in it"
    ),
    // In literals.
    ("sleep -5ms", "1:7 a duration cannot be negative"),
    ("sleep 36525.5d", "1:7 a duration can be at most 100 years"),
    ("sleep 99999999999999999999999d", "1:7 a duration can be at most 100 years"),
    ("v 1.", "1:3 “1.” is not a number"), ("v 5sec", "1:3 “sec” is not a unit"),
    ("v 1..2", "1:3 “1..2” is not a number, duration, size or percentage"),
    ("v 1e3ms", "1:3 “1e3ms” is not a number, duration, size or percentage"),
    ("v 1e999", "1:3 this number is too large"),
    ("v 9223372036854775808", "1:3 this number is too large"),
    (#"v "é\qb""#, #"1:5 “\q” is not an escape"#),
    (#"v "a\u{zz}b""#, "1:5 this is not a character"),
    (#"v "a\u{d800}""#, "1:5 this is not a character"),
    (#"v "a\u12""#, "1:5 this is not a character"),
    (#"v "a\u{41""#, "1:5 this is not a character"),
    (#"v "a\u{}""#, "1:5 this is not a character"),
    ("v \"abc\nnames", "1:3 this string is not closed"),
    (#"v "abc\""#, "1:3 this string is not closed"),
    ("ease 1 (1, 2, 3)", "1:8 a curve is four numbers, not 3"),
    ("ease 1 (1, 2ms, 3, 4)", "1:12 a curve’s numbers have no units"),
    // In commands.
    ("unload", "1:7 a plugin’s name is missing"), ("source", "1:7 a file is missing"),
    ("source a b", "1:10 “b” is too much: only one file is allowed"),
    ("trace", "1:6 a subcommand of trace is missing"),
    ("trace sav x", "1:7 “sav” is not a subcommand of trace"),
    ("set seed = 3", "1:10 “=” is not allowed here"),
    ("show x", "1:6 expected a run’s number, found “x”"),
    ("show 2 sav a", "1:8 expected “lanes”, “all”, “save” or nothing, found “sav”"),
    ("show save", "1:10 a file is missing"),
    ("show save a b", "1:13 “b” is too much: only one file is allowed"),
    ("show 0", "1:6 expected a run’s number, found “0”"),
    ("wait 1,", "1:8 a job’s number is missing"),
    ("replay x", "1:8 expected a schedule in quotes, found “x”"),
    ("simulate", "1:9 a run’s number, or a file of runs, is missing"),
    ("compare { a } under b", "1:9 expected a list, found “{”"),
    ("compare job", "1:12 “under” is missing"),
    ("compare job\nnames", "1:12 “under” is missing at the end of the line"),
    ("compare job under", "1:18 a pattern is missing"),
    ("compare job under serial promise", "1:26 expected “,”, found “promise”"),
    (
      "compare job under serial { a }",
      "1:26 a compared pattern has no steps of its own: each gets those of the list"
    ),
    ("compare runs 2", "1:15 a second run’s number is missing"),
    ("expect makspan < 3", "1:8 “makspan” cannot be expected"),
    ("expect makespan = 3", "1:17 expected a comparison, found “=”"),
    ("expect value == [1 2]", "1:20 expected “,” or “]”, found “2”"),
    ("explore a strategy foo", "1:20 “foo” is not a strategy"),
    ("explore a runs 3 runs 4", "1:18 “runs” is given twice"),
    ("explore a checking { outcome == 1 }", "1:22 expected “expect”, found “outcome”"),
    ("explore a checking { expect order a", "1:20 this “{” is never closed"),
    ("simulate f with a", "1:18 “*” or “=” is missing"),
    ("simulate f with a * x", "1:21 expected a value, found “x”"),
    ("!", "1:1 a shell command is missing after “!”"),
    ("lesson", "1:7 a lesson’s number is missing"),
    ("lesson 0", "1:8 expected a lesson’s number, found “0”"),
    ("a ? b", "1:5 “b” is not allowed here"), ("plugins now", "1:9 “now” is not allowed here"),
  ])
  func `each error is reported at its place`(_ text: String, _ error: String) {
    #expect(Self.errors(text) == [error])
  }

  /// A reserved word is refused wherever a name is needed.
  @Test(arguments: Keyword.allCases)
  func `a reserved word cannot be a name`(_ keyword: Keyword) {
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
  @Test func `a reserved word can be a label in quotes`() {
    let (_, diagnostics) = Parser.parse(Source(name: "test", text: "p { load: a }"))
    #expect(
      diagnostics.map(\.hint) == [
        "choose another label, or put this one in quotes: \"load\": …"
      ])
    #expect(Self.errors("p { \"load\": a }") == [])
  }

  @Test func `several errors are found`() {
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
        "2:12 “xs” is not a unit", "4:3 “run” is a command word and cannot be a name",
        "4:35 a duration cannot be negative", "6:11 “nope” is not allowed here",
        "6:23 “now” is not allowed here", "7:8 “makspan” cannot be expected",
        "8:5 expected “,” or “)”, found “x”",
      ])
  }

  @Test func `correct parts around an error are kept`() {
    let trees = Outline.of("a\nb {\n c: x x x\n d\n e: q { ) ; f }\n}\n) g\nh")
    #expect(trees.suffix(3) == ["(a)", "(b {}[(d), e:(q {}[(f)])])", "(h)"])
  }

  @Test(arguments: [
    ("trace sav x", "did you mean “save”?"), ("expect makspan < 3", "did you mean “makespan”?"),
    ("set seed = 3", "a setting’s value follows its name: set clock virtual"),
    ("p { a\nload X }", "the “{” of line 1 is still open"),
    ("p { a b c }", "to put one pattern in another, write braces: timeout(1s) { serial job }"),
    ("x = 5", "a value is made by a step: value 5"),
    ("value [1, 2]", "a value is made by a step: value 1"),
    ("compare { a } under b", "a list has brackets: compare [ … ] under serial, promise"),
    ("compare runs 2", "for instance: compare runs 1, 2"),
    ("lesson", "“lessons” lists them; for instance: lesson 1"),
    (
      "race(a, b)",
      "steps go in braces: race { a; … }; an argument that is a word has a name: name: a"
    ),
    ("serial { a sleep 1ms }", "a label: a: sleep 1ms; a pattern: a { sleep 1ms }"),
    ("race { 🙂: sleep 1ms }", "a label that contains it needs quotes: \"🙂\": …"),
    ("race { a/b: c }", "a label that contains it needs quotes: \"a/b\": …"),
    ("race { my label: c }", "write: \"my label\": …"),
    ("race { 1st: c }", "write: \"1st\": …"),
    ("sleep(1 ms)", "a duration has no space in it: 1ms"),
    ("timeout 1 s { sleep 2s }", "write: timeout 1s { … }"),
  ])
  func `an error has a hint`(_ text: String, _ hint: String) {
    #expect(Parser.parse(Source(name: "x", text: text)).diagnostics.first?.hint == hint)
  }
}
