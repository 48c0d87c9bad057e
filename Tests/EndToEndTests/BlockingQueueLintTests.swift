import Testing

/// The findings about the queue that blocks a thread, as text for a user who does not know that queue.
@Suite struct BlockingQueueLintTests {
  static let twice = "serial.semaphore { a: twice 300ms; b: sleep 800ms; c: sleep 800ms }"
  static let never = "serial.semaphore { a: never; b: sleep 1ms }"

  private static func run(_ script: String, clock: String) async throws -> JSONRecord {
    let outcome = try await PlaygroundHome().run([
      "--json", "--clock", clock, "--time-limit", "10s", "eval", "load SerialQueue; \(script)",
    ])
    return try #require(try outcome.records("run").first, "\(outcome)")
  }

  /// The messages of the findings, by rule.
  private static func lints(of run: JSONRecord) -> [String: String] {
    run.objects("lints").reduce(into: [:]) { lints, lint in
      lints[lint.string("rule") ?? ""] = lint.string("message")
    }
  }

  private static func expect(_ lints: [String: String], _ parts: [String: String]) {
    #expect(Set(lints.keys) == Set(parts.keys))
    for (rule, part) in parts { #expect(lints[rule]?.contains(part) == true, "\(lints)") }
  }

  private static let overlap = [
    "completed-twice": "the pattern took that for the end of “b” and started “c”",
    "overlap": "“c” started while “b” still ran, because “a” had completed twice",
    "early-notification": "completed while “c” still ran, because “a” had completed twice",
    "blocked-thread": "as serial does",
  ]

  @Test func `a second completion is reported with its consequences`() async throws {
    Self.expect(Self.lints(of: try await Self.run(Self.twice, clock: "virtual")), Self.overlap)
  }

  /// If the machine is very busy, the steps may not overlap. If they do, there is a finding.
  @Test func `on the live clock an overlap is reported if there is one`() async throws {
    let run = try await Self.run(Self.twice, clock: "live")
    let lints = Self.lints(of: run)
    #expect(lints["completed-twice"] != nil)
    #expect((lints["overlap"] != nil) == (run.integer("max_concurrency") == 2), "\(run)")
    for rule in ["overlap", "early-notification"] {
      if let message = lints[rule] {
        #expect(message.contains("because “a” had completed twice; count only the first"))
      }
    }
  }

  @Test(arguments: ["live; set time-limit 1s", "virtual"])
  func `a thread that waits in vain is reported`(clock: String) async throws {
    let run = try await Self.run("set clock \(clock); \(Self.never)", clock: "virtual")
    #expect(run.string("outcome") == "unfinished")
    Self.expect(
      Self.lints(of: run),
      [
        "never-completed": "“a” started and had not completed",
        "blocked-thread": "in vain: “a” had not completed",
      ])
  }

  @Test func `the fix has no overlap`() async throws {
    let run = try await Self.run(
      "serial { a: twice 20ms; b: sleep 50ms; c: sleep 50ms }", clock: "virtual")
    #expect(Self.lints(of: run).keys.sorted() == ["completed-twice"])
  }
}
