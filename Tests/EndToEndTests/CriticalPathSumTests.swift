import Testing

/// On the virtual clock only steps take time, so the steps of the critical path add up to the makespan. The cause of
/// each start does not matter: a dependency, a permit, a step that woke its pattern, or a worker.
@Suite struct CriticalPathSumTests {
  private static let free = ["serial", "bounded(2)", "group", "all", "promise", "settled"]
  private static let blocking = [
    "serial.semaphore", "bounded.semaphore(2)", "bounded.semaphore(3)",
  ]

  /// The blocking patterns hold workers, so they need many.
  @Test(arguments: [
    (free, ["work"], 1), (free, ["sleep", "work"], 2), (free + blocking, ["sleep", "work"], 60),
  ])
  func `the steps of the critical path add up to the makespan`(
    patterns: [String], leaves: [String], workers: Int
  ) async throws {
    var compositions = RandomCompositions(
      patterns: patterns, leaves: leaves.map { ($0, "") }, seed: UInt64(workers))
    let count = 40
    let script = (0..<count).map { _ in compositions.next() + "; trace analyse" }
    let home = try PlaygroundHome()
    let outcome = try await home.run([
      "--json", "--clock", "virtual", "--workers", "\(workers)", "eval",
      "load SerialQueue Promises OperationGraph; " + script.joined(separator: "; "),
    ])
    try #require(outcome.code == 0, "\(outcome.errors)")
    let analyses = try outcome.records("analysis")
    try #require(analyses.count == count)
    for (analysis, text) in zip(analyses, script) {
      let path = analysis.objects("critical_path")
      let total = path.reduce(0) { $0 + ($1.integer("time_ns") ?? 0) }
      let steps = path.map { $0.string("step") ?? "" }
      #expect(total == analysis.integer("makespan_ns"), "\(text): \(steps)")
    }
  }

  @Test(arguments: ["serial", "swift.sequence"])
  func `a step that completes immediately is on the critical path`(pattern: String) async throws {
    let outcome = try await PlaygroundHome().run([
      "--clock", "virtual", "eval",
      "load; \(pattern) { a: sleep 20ms; b: value 1; c: sleep 20ms }; expect critical a, b, c",
    ])
    #expect(outcome.code == 0, "\(outcome)")
  }

  /// There are three permits, and fewer workers for the steps. So c has its permit from the start, and waits until
  /// another step releases a worker. The blocking pattern itself takes a worker while it is blocked.
  @Test(arguments: [("bounded(3)", 2), ("bounded.semaphore(3)", 2), ("bounded.semaphore(3)", 3)])
  func `a wait for a worker puts its holder on the critical path`(
    pattern: String, workers: Int
  ) async throws {
    let analysis = try await Self.analysis(
      of: """
        \(pattern) { a: work 10ms; b: work 30ms; c: work 10ms; d: work 10ms; e: work 10ms; f: work 10ms }
        """, workers: workers)
    let path = analysis.objects("critical_path")
    #expect(
      path.reduce(0) { $0 + ($1.integer("time_ns") ?? 0) } == analysis.integer("makespan_ns"),
      "\(path.map { $0.string("step") ?? "" })")
    let slack = Self.slack(analysis)
    for step in path { #expect(slack[step.string("step") ?? ""] == 0) }
  }

  /// c has this much slack because e, the last step that depends on it, waits until a releases the main lane.
  @Test func `a step before a wait for a lane has the slack of that wait`() async throws {
    let analysis = try await Self.analysis(
      of: """
        group { a: block 30ms with on: main; b: serial { c: sleep 5ms; d: group { e: work 10ms with on: main } } }
        """, workers: 4)
    let slack = Self.slack(analysis)
    #expect(slack["b/c"] == 25_000_000 && slack["b/d/e"] == 0 && slack["a"] == 0, "\(slack)")
  }

  /// A cancelled step did not decide when the next step could start or when the run ended.
  ///
  /// On the live clock, the two steps would end 400 ms apart, so the same one ends first even if the machine is busy.
  @Test(arguments: [
    ("serial { a: any { x: sleep 10ms; y: sleep 20ms }; b: sleep 5ms }", "virtual", ["a/x", "b"]),
    ("serial { a: any { x: sleep 500ms; y: sleep 900ms }; b: sleep 5ms }", "live", ["a/x", "b"]),
    ("serial { a: race { x: sleep 500ms; y: sleep 900ms } }", "live", ["a/x"]),
    ("race { x: sleep 500ms; y: sleep 900ms }", "live", ["x"]),
  ])
  func `the step that resolved its pattern is on the critical path`(
    script: String, clock: String, path: [String]
  ) async throws {
    let analysis = try await Self.analysis(of: script, workers: 4, clock: clock)
    #expect(analysis.objects("critical_path").map { $0.string("step") } == path)
  }

  private static func analysis(
    of script: String, workers: Int, clock: String = "virtual"
  ) async throws -> JSONRecord {
    let made = try await PlaygroundHome().run([
      "--json", "--clock", clock, "--workers", "\(workers)", "eval",
      "load SerialQueue Promises OperationGraph\n\(script)\ntrace analyse",
    ])
    return try #require(try made.records("analysis").first, "\(made)")
  }

  private static func slack(_ analysis: JSONRecord) -> [String: Int?] {
    Dictionary(
      uniqueKeysWithValues: analysis.objects("steps").map {
        ($0.string("path") ?? "", $0.integer("slack_ns"))
      })
  }
}
