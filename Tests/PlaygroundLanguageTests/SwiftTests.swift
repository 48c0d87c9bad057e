import PlaygroundLanguage
import SwiftScanning
import Testing

/// Swift inside the language.
@Suite struct SwiftTests {
  @Test(arguments: [
    ("swift { a }", ["(swift {swift})"]), ("swift{}", ["(swift {swift})"]),
    (
      "serial { a: swift { x }; swift { \"}\" } after a }",
      ["(serial {}[a:(swift {swift}), (swift {swift})<a|>])"]
    ),
    ("a = swift { // }\n }\na", ["a := (swift {swift})", "(a)"]),
    ("4 * x", ["error: a number cannot start a statement"]),
    ("serial { 4 * swift { x } }", ["(serial {}[4*(swift {swift})])"]),
    ("swift actor A { }\nswift import B; a", ["swift!", "swift!", "(a)"]),
    ("swift @MainActor func f() { } # why", ["swift!"]), ("swift { x } &", ["(swift {swift}) &"]),
    ("swift { x } { y }", ["error: “{” is not allowed here"]),
    ("swift.group { a }", ["(swift.group {}[(a)])"]),
    ("serial { swift: swift { x } }", ["(serial {}[swift:(swift {swift})])"]),
    ("swift", ["(swift)"]),
  ])
  func `Swift stands where an expression or a statement does`(_ text: String, _ outline: [String]) {
    #expect(Outline.of(text) == outline)
  }

  @Test(arguments: [
    ("swift {", true), ("swift { \"}\"", true), ("swift { /*", true),
    ("swift { let a = [ }", false),
    ("swift actor A", true), ("swift func f() {\n}", false), ("swift let a =", true),
    ("serial { swift { x }", true), ("swift { x }", false), ("swift {\n  a b c ) (", true),
  ])
  func `Swift with an open brace continues on the next line`(_ text: String, _ needsMore: Bool) {
    #expect(Parser.needsMore(text) == needsMore)
  }

  @Test func `the place of the code is that of its first byte`() throws {
    let source = Source(name: "x.play", text: "a\n  ü: swift {\n b }")
    let text = "serial { \n  ä: swift {\n b } }"
    let script = Parser.parse(Source(name: "x.play", text: text)).script
    guard case .run(.call(let call), _)? = script.statements.first?.kind,
      case .block(let list) = call.body, case .call(let inner) = list.steps[0].expression,
      case .swift(let swift) = inner.body
    else { throw Missing() }
    let piece = SwiftPiece(swift, in: Source(name: "x.play", text: text))
    #expect(piece == SwiftPiece(file: "x.play", line: 2, column: 14, code: "\n b "))
    #expect(source.text(source.place(line: 2, column: 3, of: [])) == "ü")
  }

  private struct Missing: Error {}

  @Test func `a printed block keeps its lines only where it must stay the same code`() {
    let source = Source(name: "x", text: "swift { a // b\n  c\n}")
    guard case .run(let expression, _)? = Parser.parse(source).script.statements.first?.kind else {
      Issue.record("no expression")
      return
    }
    #expect(SourcePrinter(source).text(expression) == "swift { a // b c }")
    #expect(SourcePrinter(source, keepsLines: true).text(expression) == "swift { a // b\n  c\n}")
  }

  @Test func `nothing is completed inside Swift`() {
    #expect(CompletionContext(textBeforeCursor: "swift { ser").kind == .nothing)
    #expect(CompletionContext(textBeforeCursor: "serial { swift { x }; ").kind == .expression)
    #expect(CompletionContext(textBeforeCursor: "swift ").keywords.contains("actor"))
    #expect(CompletionContext(textBeforeCursor: "swift actor A { ser").kind == .nothing)
  }

  @Test(arguments: [
    ("save a b", "“b” is too much: only one file is allowed"),
    ("edit a b", "“b” is too much: only one name is allowed"),
  ])
  func `save takes a file, and edit at most a name`(_ text: String, _ message: String) {
    #expect(Outline.of(text) == ["error: \(message)"])
  }

  @Test(arguments: [
    ("save a.play", ["save! a.play"]), ("save \"a b\"", ["save! \"a b\""]), ("save", ["save! ."]),
    ("edit", ["edit! ."]), ("edit job", ["edit! job"]), ("edit; edit a", ["edit! .", "edit! a"]),
  ])
  func `save and edit are commands`(_ text: String, _ outline: [String]) {
    #expect(Outline.of(text) == outline)
  }

  @Test func `save and edit can be names`() {
    #expect(Outline.of("save = [a]; edit { b }") == ["save := [(a)]", "(edit {}[(b)])"])
  }
}
