import Testing

/// Mistakes that look like a different mistake at first. The error names the actual mistake.
@Suite struct MisleadingErrorTests {
  struct Mistake: Sendable {
    let script: String
    let message: String
    let hint: String
  }

  static let mistakes: [Mistake] = [
    Mistake(
      script: "sleep 1 ms", message: "“1 ms” is not a duration: there is a space in it",
      hint: "write: sleep 1ms"),
    Mistake(
      script: "timeout 1 s { sleep 2s }",
      message: "“1 s” is not a duration: there is a space in it",
      hint: "write: timeout 1s { … }"),
    Mistake(
      script: "sleep 1", message: "“sleep” takes a duration, not 1",
      hint: "a duration has a unit: 1ms or 1s"),
    Mistake(
      script: "serial { a sleep 1ms }", message: "“:” or “{” is missing after “a”",
      hint: "a label: a: sleep 1ms"),
    Mistake(
      script: "serial { a never }", message: "there is no pattern, step or name “a”",
      hint: "if it is a label, a “:” is missing: a: never"),
    Mistake(
      script: "race(a, b)", message: "“a” is neither a value nor a named argument",
      hint: "steps go in braces: race { a; … }"),
    Mistake(
      script: "serial { 🙂: sleep 1ms }", message: "“🙂” means nothing here",
      hint: "a label that contains it needs quotes: \"🙂\": …"),
    Mistake(
      script: "serial { my label: sleep 1ms }",
      message: "“my label” is not a label: there is a space in it",
      hint: "write: \"my label\": …"),
    Mistake(
      script: "sleep", message: "“sleep” needs a duration",
      hint: "“help sleep” explains its arguments"),
    Mistake(
      script: "retry { sleep 1ms }", message: "“retry” needs “count”, a whole number from 1",
      hint: "“help retry” explains its arguments"),
    Mistake(
      script: "lesson x", message: "the command “lesson” takes a lesson’s number, not “x”",
      hint: "“lessons” lists them; for instance: lesson 1"),
    Mistake(
      script: "lesson -1", message: "the command “lesson” takes a lesson’s number, not “-1”",
      hint: "“lessons” lists them; for instance: lesson 1"),
    Mistake(
      script: "history 3", message: "the command “history” takes no argument, not “3”",
      hint: "write: history"),
  ]

  @Test(arguments: mistakes)
  func `an error names the mistake that was made`(_ mistake: Mistake) async throws {
    let outcome = try await PlaygroundHome().eval("load SerialQueue Promises; " + mistake.script)
    #expect(outcome.code == 2, "\(outcome)")
    #expect(outcome.errors.contains("error: " + mistake.message), "\(outcome.errors)")
    #expect(outcome.errors.contains("\n  " + mistake.hint), "\(outcome.errors)")
  }

  @Test func `an error of a pattern’s initializer names the pattern`() async throws {
    let home = try PlaygroundHome()
    try home.write(
      """
      import AsyncPatterns

      public struct Refusing: Plugin {
        public static let name = "Refusing"
        public static let summary = "A pattern that cannot be made."
        public static let patterns: [any AsyncPattern.Type] = [RefusingPattern.self]
      }

      struct E: Error {}

      struct RefusingPattern: AsyncPattern {
        static let manual = Manual(name: "refusing", summary: "Throws.")
        init(_ arguments: Arguments) throws { throw E() }
        func start(
          _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
        ) { completion(.success(.none)) }
      }
      """, to: "Refusing.swift")
    let outcome = try await home.eval("load ./Refusing.swift; refusing { value 1 }")
    #expect(outcome.code == 2, "\(outcome)")
    #expect(
      outcome.errors.contains("error: “refusing” cannot be made: its initializer threw E()"),
      "\(outcome)")
  }

  @Test func `code that does not end is shown as running, with its function`() async throws {
    let home = try PlaygroundHome()
    try home.write(
      """
      import AsyncPatterns
      import Foundation

      // step
      func spins() async throws { while !Task.isCancelled {} }

      public struct Slow: Plugin {
        public static let name = "Slow"
        public static let summary = "A pattern that starts late."
        public static let patterns: [any AsyncPattern.Type] = [SlowPattern.self]
      }

      struct SlowPattern: AsyncPattern {
        static let manual = Manual(name: "slow", summary: "Starts late.")
        init(_ arguments: Arguments) {}
        func start(
          _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
        ) {
          Thread.sleep(forTimeInterval: 1.5)
          completion(.success(.none))
        }
      }
      """, to: "Slow.swift")
    let outcome = try await home.eval(
      "load SerialQueue ./Slow.swift; serial { a: value 1; b: spins }; serial { c: slow { d: value 1 } }",
      "--time-limit", "500ms")
    #expect(outcome.code == 4, "\(outcome)")
    #expect(outcome.output.contains("It was running b (spins)."), "\(outcome)")
    #expect(
      outcome.output.contains("It was running c (slow), which had not started c/d."), "\(outcome)")
    #expect(!outcome.output.contains("waiting for a worker"), "\(outcome)")
  }

  @Test func `cancelled code was running, with its function`() async throws {
    let home = try PlaygroundHome()
    try home.write(
      "// step\nfunc spins() async throws { while !Task.isCancelled {} }\n", to: "Spins.swift")
    let terminal = try await PromptTests.open(home)
    terminal.type("load SerialQueue ./Spins.swift; serial { a: value 1; b: spins }\n")
    _ = try await terminal.expectScreen("the progress") { lines in
      lines.contains { $0.contains("b (spins) in progress, 1 of 2 steps done") }
    }
    try await terminal.press(.controlC, expecting: "It was running b (spins).")
  }

  static let crashes: [(script: String, code: String)] = [
    ("serial { a: value 1; b: aborts }", "b (aborts of the plugin Traps) was"),
    ("aborts", "aborts (of the plugin Traps) was"),
    ("broken { value 1 }", "broken (of the plugin Traps) was"),
    ("explore serial { aborts }", "the exploration of “serial"),
  ]

  @Test(arguments: crashes, [false, true])
  func `a crash names the plugin and the function`(
    _ crash: (script: String, code: String), isJSON: Bool
  ) async throws {
    let home = try PlaygroundHome()
    try home.write(
      """
      import AsyncPatterns
      import Glibc

      // step
      func aborts() async throws { abort() }

      public struct Traps: Plugin {
        public static let name = "Traps"
        public static let summary = "Code that crashes."
        public static let patterns: [any AsyncPattern.Type] = [Broken.self]
      }

      struct Broken: AsyncPattern {
        static let manual = Manual(name: "broken", summary: "Sends itself a signal.")
        init(_ arguments: Arguments) {}
        func start(
          _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
        ) {
          raise(SIGSEGV)
          completion(.success(input))
        }
      }
      """, to: "Traps.swift")
    let outcome = try await home.eval(
      "load SerialQueue ./Traps.swift; \(crash.script)", isJSON ? "--json" : "--no-color",
      environment: ["SWIFT_BACKTRACE": "enable=no"])
    #expect(outcome.code != 0, "\(outcome)")
    #expect(outcome.errors.contains("  The program crashed with SIG"), "\(outcome)")
    #expect(outcome.errors.contains(" while \(crash.code)"), "\(outcome)")
    guard isJSON else { return }
    let errors = try outcome.records("error").map { $0.string("message") ?? "" }
    #expect(errors.count == 1 && errors[0].contains(" while \(crash.code)"), "\(outcome)")
  }
}
