import PlaygroundLanguage
import Testing

/// Every example of the design, statement by statement, with the expected tree.
@Suite struct DesignExamplesTests {
  static let example = """
    load SerialQueue Promises OperationGraph
    job = [ fetch: sleep 20ms; parse: work 5ms; store: sleep 10ms ]   # a named list of steps
    serial job                                                        # run it under a pattern
    serial { fetch: sleep 20ms; parse: work 5ms }                     # or write the steps in place
    graph(width: 2) { a: sleep 10ms; b: sleep 20ms; c: serial job after a, b }
    promise { read "README.md"; sh "wc -w" }                          # values flow: input becomes standard input
    bounded(2) { page: 4 * sleep 10ms }                               # four steps, page-1 … page-4
    compare job under serial, serial.semaphore, promise runs 30
    expect makespan < 40ms
    """

  static let trees = [
    #"load! ["SerialQueue", "Promises", "OperationGraph"]"#,
    "job := [fetch:(sleep 20000000ns), parse:(work 5000000ns), store:(sleep 10000000ns)]",
    "(serial @job)",
    "(serial {}[fetch:(sleep 20000000ns), parse:(work 5000000ns)])",
    "(graph (width=2) {}[a:(sleep 10000000ns), b:(sleep 20000000ns), c:(serial @job)<a,b|>])",
    #"(promise {}[(read "README.md"), (sh "wc -w")])"#,
    "(bounded (2) {}[page:4*(sleep 10000000ns)])",
    "compare! (job) under (serial), (serial.semaphore), (promise) runs 30",
    "expect! makespan < 40000000ns",
  ]

  @Test func `the whole example is parsed`() { #expect(Outline.of(Self.example) == Self.trees) }

  @Test(arguments: ["\r\n", "\n\n", "\n\t\n", "\n # more\n"])
  func `the kind of line end does not matter`(_ newline: String) {
    let text = Self.example.split(separator: "\n").joined(separator: newline)
    #expect(Outline.of("#!/usr/bin/env playground\n" + text + newline) == Self.trees)
  }

  @Test(arguments: zip(example.split(separator: "\n").map(String.init), trees))
  func `each line of the example is parsed alone`(_ line: String, _ tree: String) {
    #expect(Outline.of(line) == [tree])
  }

  @Test(arguments: [
    ("timeout(5ms)", "(timeout (5000000ns))"),
    ("retry(3) { a }", "(retry (3) {}[(a)])"),
    ("render(size: 320x200) { a }", "(render (size=320x200) {}[(a)])"),
    (
      "animate(curve: (0.25, 0.1, 0.25, 1)) { a }",
      "(animate (curve=curve(0.25 0.1 0.25 1.0)) {}[(a)])"
    ),
    ("serial [a: sleep 1ms]", "(serial [a:(sleep 1000000ns)])"),
    ("[a: sleep 1ms]", "[a:(sleep 1000000ns)]"),
    ("serial job &", "(serial @job) &"),
    ("serial", "(serial)"),
    ("serial()", "(serial)"),
    ("value true", "(value true)"),
    ("value -3", "(value -3)"),
    ("a.b.c-d_e2 { }", "(a.b.c-d_e2 {}[])"),
    (
      "serial(\n  a: 1,\n\n  b: any-failed # why\n) {\n\n a\n;;b; }",
      "(serial (a=1 b='any-failed) {}[(a), (b)])"
    ),
    (
      #"p { "a b": 3 * work 1ms after "x y", c with trigger: any-failed, priority: high, n: 3 }"#,
      #"(p {}["a b":3*(work 1000000ns)<"x y",c|trigger='any-failed,priority='high,n=3>])"#
    ),
    ("p { a with x: 1 after b }", "(p {}[(a)<b|x=1>])"),
    ("p { sleep 1ms\n\n  job\r\n  [a; b] }", "(p {}[(sleep 1000000ns), (job), [(a), (b)]])"),
    ("p { a: q { b: r [c] after d }; e }", "(p {}[a:(q {}[b:(r [(c)])<d|>]), (e)])"),
    ("job =\n  [a]", "job := [(a)]"),
    ("naïve = größe", "naïve := (größe)"),
    ("t { sleep 1ms after a,\n b }", "(t {}[(sleep 1000000ns)<a,b|>])"),
    ("x(on: main, off: cancel)", "(x (on='main off='cancel))"),
    ("sh \"a\" 3 50% (0, 0, 1, 1) { b }", #"(sh "a" 3 50.0% curve(0.0 0.0 1.0 1.0) {}[(b)])"#),
  ])
  func `each form of an expression is parsed`(_ text: String, _ tree: String) {
    #expect(Outline.of(text) == [tree])
  }

  @Test func `ranges cover the text as it was written`() throws {
    let source = Source(
      name: "x", text: "  graph(width: 2) { c: 2 * serial job after a, b } & # no\n")
    let (script, diagnostics) = Parser.parse(source)
    #expect(diagnostics.isEmpty)
    let statement = try #require(script.statements.first)
    #expect(source.text(statement.range) == "graph(width: 2) { c: 2 * serial job after a, b } &")
    guard case .run(.call(let call), true) = statement.kind, case .block(let list) = call.body
    else {
      Issue.record("not a call with a block")
      return
    }
    #expect(source.text(call.range) == "graph(width: 2) { c: 2 * serial job after a, b }")
    #expect(source.text(call.arguments[0].range) == "width: 2")
    #expect(source.text(list.range) == "{ c: 2 * serial job after a, b }")
    let step = try #require(list.steps.first)
    #expect(source.text(step.range) == "c: 2 * serial job after a, b")
    #expect(source.text(step.expression.range) == "serial job")
    #expect(step.predecessors.map { source.text($0.range) } == ["a", "b"])
    #expect(step.count.map { source.text($0.range) } == "2")
  }
}
