import Foundation
import PlaygroundLanguage
import Testing

@Suite struct LimitTests {
  /// Runs `body` on a thread with a stack of 512 KB.
  static func onSmallStack<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async
    -> Result
  {
    await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: body()) }
      thread.stackSize = 512 * 1024
      thread.start()
    }
  }

  static func nested(_ depth: Int, _ open: String = "serial { ", _ close: String = " }") -> String {
    String(repeating: open, count: depth) + "a" + String(repeating: close, count: depth)
  }

  @Test(arguments: [("serial { ", " }"), ("p [ ", "]"), ("a: 2 * p(1) {\n", "\n}"), ("[", "]")])
  func `nesting is parsed up to the limit`(_ open: String, _ close: String) async {
    let text = "p { " + Self.nested(199, open, close) + " }"
    let result = await Self.onSmallStack { () -> [String] in
      let source = Source(name: "x", text: text)
      let (script, diagnostics) = Parser.parse(source)
      guard case .run(let expression, _)? = script.statements.first?.kind else { return ["none"] }
      let printed = SourcePrinter(source).text(expression)
      let again = Parser.parse(Source(name: "y", text: printed))
      return (diagnostics + again.diagnostics).map(\.message)
    }
    #expect(result == [])
  }

  @Test(arguments: [200, 999, 90_000])
  func `nesting beyond the limit is an error`(_ depth: Int) async {
    let text = "p { " + Self.nested(depth) + " }\nnames now"
    let errors = await Self.onSmallStack { ErrorTests.errors(text) }
    let column = 5 + 9 * 199 + 7
    #expect(
      errors == [
        "1:\(column) lists are nested more than 200 deep", "2:7 “now” is not allowed here",
      ])
  }

  @Test(arguments: [1_000, 30_000])
  func `brackets that never close give few errors`(_ depth: Int) async {
    for open in [
      "serial { ", "[", "(", "p(", "a: p {\n", "expect value == [", "x = [", "{", "p(a: (", "[a;(",
    ] {
      let text = String(repeating: open, count: depth)
      let count = await Self.onSmallStack {
        _ = CompletionContext(textBeforeCursor: text)
        return Parser.parse(Source(name: "x", text: text)).diagnostics.count
      }
      #expect((1...101).contains(count), "\(open)")
    }
  }

  @Test func `lists of values are nested up to the limit only`() {
    let deep = { (depth: Int) in
      "expect value == " + String(repeating: "[", count: depth)
        + String(repeating: "]", count: depth)
    }
    #expect(ErrorTests.errors(deep(200)) == [])
    #expect(ErrorTests.errors(deep(201)) == ["1:217 lists are nested more than 200 deep"])
  }

  @Test func `a line of ten megabytes is an error`() {
    let line = "serial { " + String(repeating: "value 1; ", count: 1_200_000) + "}"
    #expect(
      ErrorTests.errors("names\n" + line + "\nnames now")
        == ["2:1 this line is longer than 1048576 bytes"])
    let longest = "#" + String(repeating: "x", count: Source.longestLine - 1)
    #expect(ErrorTests.errors(longest + "\n" + longest) == [])
    #expect(
      ErrorTests.errors(longest + "\n" + longest + "x") == [
        "2:1 this line is longer than 1048576 bytes"
      ])
  }

  @Test func `a list has at most a million steps`() {
    #expect(ErrorTests.errors("p { 1000000 * value 1 }") == [])
    #expect(ErrorTests.errors("p { 999999 * value 1; a }") == [])
    #expect(
      ErrorTests.errors("p { 1000001 * value 1 }\nq r s")
        == ["1:5 a list can have at most 1 000 000 steps", "2:5 “s” is not allowed here"])
    #expect(
      ErrorTests.errors("p { 999999 * a; b { c }; d; e { f }; g }")
        == ["1:26 a list can have at most 1 000 000 steps"])
    #expect(
      ErrorTests.errors("p { 9223372036854775807 * a }")
        == ["1:5 a list can have at most 1 000 000 steps"])
    let written = "p {\n" + String(repeating: "a;b\n", count: 50_000) + "}"
    guard
      case .run(.call(let call), _)? = Parser.parse(Source(name: "x", text: written)).script
        .statements.first?.kind,
      case .block(let list) = call.body
    else {
      Issue.record("not a block")
      return
    }
    #expect(list.steps.count == 100_000)
  }

  @Test func `the rest is not read after a hundred errors`() {
    let errors = ErrorTests.errors(String(repeating: "a )\n", count: 1_000))
    #expect(errors.count == 101)
    #expect(errors.last?.hasSuffix("too many errors: the rest is not read") == true)
  }
}
