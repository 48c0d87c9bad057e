import Foundation
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

  /// When threads crash at the same time, they ask in turn whether the program can continue without them.
  @Test func `crashes at the same time end the program or their run, and it never hangs`()
    async throws
  {
    let home = try PlaygroundHome()
    let script = """
      load Promises
      swift func trap() -> Int { [1][5] }; swift @MainActor func mainTrap() -> Int { [1][5] }
      all { a: swift { await mainTrap() }; b: swift { trap() } }
      """
    for _ in 0..<6 {
      let outcome = try await home.run(
        ["eval", script], environment: ["SWIFT_BACKTRACE": "enable=no"])
      #expect(Self.isEndedByTrap(outcome), "\(outcome)")
    }
  }

  @Test func `a trap without a call is named too`() async throws {
    let outcome = try await PlaygroundHome().run([
      "--json", "eval",
      "swift func last(plus one: Int) -> Int { Int.max + one }; swift { last(plus: 1) }",
    ])
    let errors = try outcome.records("run").map { $0.string("error") ?? "" }
    #expect(errors.count == 1 && errors.first?.hasSuffix(" in last") == true, "\(outcome)")
  }

  /// The second statement makes a task of the earlier run crash after that run has ended. It waits for the report, or
  /// only for the trap, so that the script ends before the report.
  @Test(arguments: [
    ("sh \"%\"; value 2", "earlier run"), ("!%", "earlier run"), ("!%", "Fatal error"),
  ])
  func `a trap of an earlier run is not blamed on a run of other code`(
    _ later: String, _ awaited: String
  ) async throws {
    let home = try PlaygroundHome()
    let wait =
      "touch go; for i in $(seq 600); do grep -q '\(awaited)' said && break; sleep 0.1; done"
    let child = try Child(
      [
        "sh", "-c", "exec \"$0\" \"$@\" 2> said", PlaygroundProcess.executable, "eval",
        """
        swift import Foundation
        swift {
          Task.detached {
            while !FileManager.default.fileExists(atPath: "go") { await Task.yield() }
            _ = [1][5]
          }
          return 1
        }
        \(later.replacing("%", with: wait))
        """,
      ], in: home.workingFolder, environment: home.environment)
    let outcome = try await child.outcome()
    let said = try String(contentsOfFile: home.workingFolder + "/said", encoding: .utf8)
    #expect(outcome.code == 3, "\(outcome)\n\(said)")
    #expect(outcome.output.contains("value 2 · success") == later.hasPrefix("sh"), "\(outcome)")
    #expect(!outcome.output.contains("failure"), "\(outcome)")
    #expect(said.contains("Code of an earlier run crashed with SIG"), "\(said)")
  }

  @Test func `a trap is contained also if the cache is behind a link or cannot be used`()
    async throws
  {
    let home = try PlaygroundHome()
    let link = home.folder.path + "/link"
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: home.folder.folder("real"))
    for cache in [link, "/dev/null"] {
      let outcome = try await home.run(
        ["--json", "eval", "swift func trap() -> Int { [1][5] }; swift { trap() }; value 1"],
        environment: ["XDG_CACHE_HOME": cache])
      let errors = try outcome.records("run").map { $0.string("error") ?? "" }
      #expect(errors.count == 2 && errors.first?.hasSuffix(" in trap") == true, "\(outcome)")
      #expect(outcome.errors.contains("note: compiled plugins are not kept") == (cache != link))
    }
  }

  @Test func `a run that no other process can make fails with the reason`() async throws {
    let outcome = try await PlaygroundHome().run([
      "--json", "--isolate", "eval", "load SerialQueue; value 5; serial { last; swift { input } }",
    ])
    let errors = try outcome.records("run").map { $0.string("error") ?? "" }
    #expect(errors.count == 2, "\(outcome)")
    #expect(errors.last?.hasPrefix("“last” has no value in a process of its own") == true)
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

  @Test func `a trap ends an exploration, and its schedule can be replayed`() async throws {
    let home = try PlaygroundHome()
    let cell = """
      swift actor Cell { var list: [Int] = []; func add() { list.append(1) }; func first() -> Int { list[0] } }

      """
    let outcome = try await home.eval(
      cell + """
        explore swift { let cell = Cell(); async let first = cell.first(); await cell.add(); return await first }
        value 1
        """)
    #expect(outcome.code == 1, "\(outcome)")
    #expect(
      outcome.output.contains("“does not crash” does not hold: it crashed with SIG"), "\(outcome)")
    #expect(outcome.output.contains("value 1 · success"), "\(outcome)")
    let replay = try #require(
      outcome.output.split(separator: "\n").first { $0.hasPrefix("replay ") }, "\(outcome)")
    let replayed = try await home.eval(cell + replay)
    #expect(replayed.output.contains("crashed with SIG"), "\(replayed)")
  }

  /// A step that crashed did not forget its completion.
  @Test(arguments: [false, true])
  func `a crash is not reported as a step that never completes`(isIsolated: Bool) async throws {
    let home = try PlaygroundHome()
    let outcome = try await home.run(
      ["--json", "--save", "crash.runs"] + (isIsolated ? ["--isolate"] : [])
        + ["eval", "swift func trap() -> Int { [1][5] }; swift { trap() }"])
    let run = try #require(try outcome.records("run").first, "\(outcome)")
    #expect(run.string("error")?.hasSuffix(" in trap") == true, "\(outcome)")
    #expect(run.objects("lints").isEmpty, "\(outcome)")
    let lint = try await home.run(["trace", "lint", "crash.runs"])
    #expect(lint.code == 0 && lint.output == "0 findings in 1 run\n", "\(lint)")
    #expect(outcome.errors.contains("Fatal error"), "\(outcome)")
    if isIsolated { #expect(!outcome.errors.contains("Current stack trace"), "\(outcome)") }
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
    #expect(Self.isEndedByTrap(try await home.run(["eval", script])))
  }

  /// Whether a signal of Swift's traps has ended the program.
  private static func isEndedByTrap(_ outcome: PlaygroundProcess.Outcome) -> Bool {
    [SIGILL, SIGTRAP].contains(outcome.code - 128)
  }
}
