import Foundation
import Testing

/// `swift { … }` as a step, in scripts.
@Suite struct SwiftBlockTests {
  /// The value of the only run of a script, as JSON.
  private static func value(_ script: String) async throws -> Any? {
    let outcome = try await PlaygroundHome().records(script)
    #expect(outcome.code == 0, "\(outcome)")
    return try outcome.records("run").last?["value"]
  }

  @Test func `its input and its result are values of the language`() async throws {
    let list = try await Self.value(
      """
      load SerialQueue
      serial {
        value 20
        swift {
          let start = Int(input) ?? 0
          return (start...start + 2).map { "n\\($0)" }
        }
      }
      """)
    #expect(list as? [String] == ["n20", "n21", "n22"])
    #expect(try await Self.value("swift { 6 * 7 }") as? Int == 42)
    #expect(try await Self.value("swift { Duration.milliseconds(2) }") as? Int == 2_000_000)
    #expect(try await Self.value("swift { let a: String? = nil; return a }") is NSNull)
    #expect(try await Self.value("swift { }") is NSNull)
  }

  @Test func `time in it is virtual on the virtual clock`() async throws {
    let outcome = try await PlaygroundHome().records(
      """
      load SerialQueue
      nap = swift { try await Task.sleep(for: .seconds(3600)) }
      serial { nap; twice: 2 * nap }
      expect makespan == 3h
      compare [ nap ] under serial
      """)
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test func `its time is traced like that of any step`() async throws {
    let outcome = try await PlaygroundHome().run([
      "--clock", "virtual", "eval",
      "load SerialQueue; serial { a: swift { try await Task.sleep(for: .seconds(3)) }; b: sleep 1s }; trace why b",
    ])
    #expect(outcome.output.contains("waited     3s  for the dependency a to end"), "\(outcome)")
  }

  @Test func `code that never continues is reported with the line where it waits`() async throws {
    let home = try PlaygroundHome()
    try home.write(
      """
      set clock virtual
      swift {
        let count = 1
        await withCheckedContinuation { (never: CheckedContinuation<Void, Never>) in
          _ = count
        }
      }
      """, to: "waits.play")
    let outcome = try await home.run(["run", "waits.play"])
    #expect(outcome.code == 4, "\(outcome)")
    let text = outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      text.contains("“swift” was started at 0ns, and waits for a continuation in closure #1"),
      "\(outcome)")
    #expect(text.contains("at waits.play:4."), "\(outcome)")
  }

  @Test func `an error that it throws is the failure of the step`() async throws {
    let outcome = try await PlaygroundHome().records(
      "swift { struct Late: Error {}; if input == .none { throw Late() } }")
    #expect(outcome.code == 3, "\(outcome)")
    #expect(try outcome.records("run").last?.string("error") == "Late()")
  }

  @Test func `an error at the end of a block is at its closing brace`() async throws {
    let outcome = try await PlaygroundHome().eval(
      """
      swift { 1 + }
      swift {
        f(
      }
      """)
    #expect(
      outcome.errors.contains(
        """
        eval:1:13: error: expected expression after operator
          swift { 1 + }
                      ^
        """), "\(outcome)")
    #expect(outcome.errors.contains("eval:4:1: error: expected expression in list"), "\(outcome)")
    #expect(outcome.code == 2)
  }

  @Test func `errors are at the place where the code was typed, and nothing runs`() async throws {
    let home = try PlaygroundHome()
    try home.write(
      """
      print "ran"
      race = [
        a: swift { let x: Int = "a"; return x }; ü: swift {
          missing() } ]
      """, to: "x.play")
    let outcome = try await home.run(["--json", "x.play"])
    #expect(outcome.code == 2, "\(outcome)")
    let errors = try outcome.records("error")
    #expect(errors.map { $0.integer("line") } == [3, 4], "\(outcome)")
    #expect(errors.map { $0.integer("column") } == [27, 5], "\(outcome)")
    #expect(errors.last?.string("message") == "cannot find 'missing' in scope")
    #expect(!outcome.errors.contains("ran\n"))
  }

  @Test(arguments: [
    ("swift", "“swift” needs Swift in braces, or a declaration"),
    ("swift(1) { }", "“swift” takes no arguments"), ("swift {", "this “{” is never closed"),
    ("swift actor A", "this declaration is not complete"),
    ("swift = [ ]", "is already a pattern or a step"),
  ])
  func `what is not Swift in braces is an error`(_ script: String, _ message: String) async throws {
    let outcome = try await PlaygroundHome().eval(script)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(message), "\(outcome)")
  }

  @Test func `a race in it is found and replayed`() async throws {
    let home = try PlaygroundHome()
    let explored = try await home.run(["eval", Self.race])
    #expect(explored.code == 1, "\(explored)")
    #expect(explored.output.contains("“succeeds” does not hold: Lost()"), "\(explored)")
    let line = try #require(
      explored.output.split(separator: "\n").first { $0.hasPrefix("replay ") })
    let again = try await home.run(["eval", Self.declarations + "\n" + line])
    #expect(again.code == 3 && again.output.contains("Lost()"), "\(again)")
  }

  private static let declarations = """
    swift actor Account {
      var balance = 0
      func deposit() async { let before = balance; await Task.yield(); balance = before + 1 }
    }
    swift struct Lost: Error {}
    """
  private static let race =
    declarations + """

      explore swift {
        let account = Account()
        async let first: Void = account.deposit()
        async let second: Void = account.deposit()
        _ = await (first, second)
        if await account.balance != 2 { throw Lost() }
      } runs 200
      """

  @Test func `a saved run of it is simulated with what was measured`() async throws {
    let home = try PlaygroundHome()
    let script = "load SerialQueue; serial { a: swift {\n // one\n 1 }; b: sleep 5ms }"
    let saved = try await home.run(["--clock", "virtual", "--save", "a.jsonl", "eval", script])
    #expect(saved.code == 0, "\(saved)")
    let outcome = try await home.run(["eval", "load SerialQueue; simulate a.jsonl with b * 2"])
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("10ms"), "\(outcome)")
  }
}
