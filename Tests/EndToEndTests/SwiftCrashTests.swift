import TerminalTesting
import Testing

/// Swift that crashes.
@Suite struct SwiftCrashTests {
  @Test(arguments: ["live", "virtual"])
  func `a trap ends its run alone, with the function that crashed`(clock: String) async throws {
    let home = try PlaygroundHome()
    let outcome = try await home.run([
      "--json", "--clock", clock, "eval",
      """
      swift actor Store { func value() -> Int { let none: Int? = nil; return none! } }
      value 1
      swift { await Store().value() }
      expect outcome == failure
      swift { let none: Int? = nil; return none! }
      expect outcome == failure
      swift { 2 }
      expect value == 2
      """,
    ])
    #expect(outcome.code == 0, "\(outcome)")
    let runs = try outcome.records("run")
    #expect(runs.map { $0.string("outcome") } == ["success", "failure", "failure", "success"])
    #expect(runs[1].string("error")?.hasSuffix(" in Store.value") == true, "\(outcome)")
    #expect(runs[2].string("error")?.hasPrefix("crashed with SIG") == true, "\(outcome)")
    #expect(outcome.errors.contains("Fatal error: Unexpectedly found nil"))
  }

  /// Another program that compiles the same code replaces the object in the cache.
  @Test func `the crashed function is named also if its object has been replaced`() async throws {
    let home = try PlaygroundHome()
    let cache = try home.folder.folder("cache")
    let replaces =
      "for f in \(cache)/async-playground/objects/*.so; do cp $f $f.new && mv $f.new $f; done"
    let outcome = try await home.run(
      [
        "--json", "eval",
        """
        swift func last(of count: Int) -> Int { [1, 2, 3][count - 1] }
        swift { last(of: 3) }; sh "\(replaces)"; swift { last(of: 4) }
        """,
      ], environment: ["XDG_CACHE_HOME": cache])
    let errors = try outcome.records("run").map { $0.string("error") ?? "" }
    try #require(errors.count == 3, "\(outcome)")
    #expect(errors[1] == "" && errors[2].hasSuffix(" in last"), "\(outcome)")
  }

  @Test func `the prompt and its runs survive a trap`() async throws {
    let terminal = try await PromptTests.open(PlaygroundHome())
    try await terminal.type("value 41\n", expecting: "value 41 · success")
    try await terminal.expect("\n> ")
    try await terminal.type("swift { [1][5] }\n", expecting: "failure")
    try await terminal.expect("\n> ")
    try await terminal.type("value 42\n", expecting: "value 42 · success")
    try await terminal.expect("\n> ")
    let runs = try await terminal.type("runs\n", expecting: "\n> ")
    #expect(runs.contains("value 41") && runs.contains("swift { [1][5] }"), "\(runs)")
  }

  @Test func `a trap ends an exploration as a violation`() async throws {
    let outcome = try await PlaygroundHome().eval(
      "explore swift { await Task.yield(); return [1][5] }; value 1")
    #expect(outcome.code == 1, "\(outcome)")
    #expect(outcome.output.contains("crashed with SIG"), "\(outcome)")
    #expect(outcome.output.contains("value 1 · success"), "\(outcome)")
  }

  @Test func `a crash on the main thread is contained by a process of its own`() async throws {
    let home = try PlaygroundHome()
    let script = """
      swift @MainActor func trap() -> Int { [1][5] }
      load SerialQueue
      swift { await trap() }
      expect outcome == failure
      serial { a: swift { 6 }; b: swift { print("seen"); return (Int(input) ?? 0) * 7 } }
      expect value == 42
      """
    let outcome = try await home.run(["--json", "--isolate", "eval", script])
    #expect(outcome.code == 0, "\(outcome)")
    let runs = try outcome.records("run")
    #expect(runs.map { $0.string("outcome") } == ["failure", "success"], "\(outcome)")
    #expect(runs[0].string("error")?.contains("its process crashed with SIG") == true)
    #expect(runs[1].objects("steps").compactMap { $0.string("label") } == ["a", "b"])
    #expect(try await home.run(["eval", script]).code != 0)
  }
}
