import Foundation
import Testing

/// Chrome traces that are imported as runs.
@Suite struct TraceImportTests {
  @Test func `show refers to the import for a Chrome trace`() async throws {
    let home = try PlaygroundHome()
    try await TraceTests.save(TraceTests.script, to: "a.runs", in: home)
    let made = try await home.run(["trace", "export", "a.runs", "a.json"])
    #expect(made.code == 0, "\(made)")
    let outcome = try await home.run(["trace", "show", "a.json"])
    #expect(outcome.errors.contains("“trace import” reads traces in Chrome's format"), "\(outcome)")
  }

  @Test func `an imported run can be shown, compared and saved`() async throws {
    let home = try PlaygroundHome()
    try await TraceTests.save(TraceTests.script, to: "a.runs", in: home)
    _ = try await home.run(["trace", "export", "a.runs", "a.json"])
    let imported = try await home.run(["trace", "import", "a.json", "b.runs"])
    #expect(imported.code == 0 && imported.output.contains("imported 1 run"), "\(imported)")
    #expect(try await home.run(["compare", "a.runs", "b.runs"]).code == 0)
    let shown = try await home.run(["trace", "show", "b.runs"])
    #expect(shown.output.contains("critical path: a → b"))
    #expect(try await home.run(["trace", "lint", "b.runs"]).code == 0)
    let drawn = try await home.run(["trace", "import", "a.json"])
    #expect(drawn.output.contains("critical path: a → b"))
    // At the prompt, the import is a run of the session, and expectations apply to it.
    let session = try await home.eval(
      """
      \(TraceTests.script)
      trace import a.json
      expect makespan == 30ms
      compare runs 1, 2
      runs
      show 2
      trace save c.runs
      """, "--clock", "virtual")
    #expect(session.code == 0, "\(session)")
    #expect(session.output.contains("imported a.json as run 2"))
    #expect(session.output.contains("saved 2 runs"))
    #expect(try await home.run(["compare", "a.runs", "c.runs"]).code == 0)
  }

  /// Timers on time and late, steps that their timers could not stop, and steps that never started.
  @Test(arguments: [
    """
    group {
      m: work 15ms with on: main
      p: serial(width: 2, timeout: 13ms, on-failure: continue) {
        k: work 20ms; c: task { d: work 12ms with on: main }; e: work 26ms with on: main
      }
    }
    """,
    TimedOutCompositions.askedForWithItsPattern,
    TimedOutCompositions.besideOthers,
    "group { k: work 30ms; p: serial(timeout: 10ms) { q: group { a: sleep 50ms } } }",
    "serial { fail; a: sleep 3ms; b: group { sleep 7ms } }",
    // These steps find no worker, since the only one has just been blocked.
    "group { a: work 3ms; s: serial.semaphore { b: sleep 3ms }; c: work 4ms with on: pool }",
    "serial.semaphore { a: work 5ms }",
    "serial(timeout: 10ms, on-failure: continue) { p: task { sleep 20ms; a: sleep 5ms }; b: sleep 5ms }",
  ])
  func `an imported run is saved as the same file`(composition: String) async throws {
    let home = try PlaygroundHome()
    _ = try await home.run([
      "--clock", "virtual", "--workers", "1", "--save", "a.runs", "eval",
      "load SerialQueue Promises OperationGraph\n\(composition)",
    ])
    _ = try await home.run(["trace", "export", "a.runs", "a.json"])
    _ = try await home.run(["trace", "import", "a.json", "b.runs"])
    let made = try #require(home.contents("a.runs"))
    #expect(made.count { $0 == 10 } > 4)
    #expect(home.contents("b.runs") == made)
  }

  /// On the live clock a run starts before its first event.
  @Test func `an imported live run has the same analysis`() async throws {
    let home = try PlaygroundHome()
    _ = try await home.run([
      "--clock", "live", "--save", "a.runs", "eval",
      "load OperationGraph; group { a: sleep 3ms; b: work 2ms }",
    ])
    _ = try await home.run(["trace", "export", "a.runs", "a.json"])
    _ = try await home.run(["trace", "import", "a.json", "b.runs"])
    let made = try await home.run(["--json", "trace", "analyse", "a.runs"])
    #expect(made.code == 0 && made.output.contains(#""record":"analysis""#))
    #expect(try await home.run(["--json", "trace", "analyse", "b.runs"]).output == made.output)
  }

  @Test func `inferred causes are mentioned`() async throws {
    let home = try PlaygroundHome()
    try home.write(#"[{"name":"a","ph":"X","ts":0,"dur":5,"pid":1,"tid":2}]"#, to: "a.json")
    _ = try await home.run(["trace", "import", "a.json", "a.runs"])
    let remark = "The causes were inferred from the threads and arrows of the imported trace."
    for words in [["analyse", "a.runs"], ["why", "a.runs", "a"]] {
      let outcome = try await home.run(["trace"] + words)
      #expect(outcome.code == 0 && outcome.output.contains(remark), "\(outcome)")
    }
    let shown = try await home.run(["--json", "trace", "show", "a.runs"])
    #expect(shown.output.contains(#""causes":"inferred""#), "\(shown)")
  }

  @Test func `a foreign trace that ends in the middle is read`() async throws {
    let home = try PlaygroundHome()
    try home.write(#"[{"name":"a","ph":"X","ts":0,"dur":5,"pid":1,"tid":2},{"na"#, to: "cut.json")
    try home.write(#"[{"name":"a","ph":"X","ts":0,"dur":5,"pid":1,"tid":2} 3"#, to: "bad.json")
    let cut = try await home.run(["trace", "import", "cut.json"])
    #expect(cut.code == 0 && cut.errors.contains("is incomplete"), "\(cut)")
    #expect(cut.output.contains("unfinished") && cut.output.contains("error: the trace ends"))
    try home.write(#"[{"name":"a","ph":"X","ts":0,"dur":5,"pid":1,"tid":2},"#, to: "open.json")
    let open = try await home.run(["trace", "import", "open.json"])
    #expect(open.code == 0 && open.errors.isEmpty && open.output.contains("success"), "\(open)")
    let bad = try await home.run(["trace", "import", "bad.json"])
    #expect(bad.code == 2 && bad.errors.contains("byte 54"), "\(bad)")
  }
}
