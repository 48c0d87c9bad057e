import Testing

/// The traps of the queue that blocks a thread, as a stranger reads them.
@Suite struct BlockingQueueLintTests {
  /// Times so long that also a busy machine keeps them apart on the live clock.
  static let traps: [(steps: String, code: Int32, lints: [String: String])] = [
    (
      "a: twice 300ms; b: sleep 800ms; c: sleep 800ms", 0,
      [
        "completed-twice": "it took that for the end of “b” and started “c”",
        "overlap": "“c” started while “b” still ran, because “a” had completed twice",
        "early-notification": "completed while “c” still ran, because “a” had completed twice",
        "blocked-thread": "as serial does",
      ]
    ),
    (
      "a: never; b: sleep 1ms", 4,
      [
        "never-completed": "“a” started and had not completed",
        "blocked-thread": "in vain: “a” had not completed",
      ]
    ),
  ]

  @Test(arguments: traps, ["live", "virtual"])
  func theLintsTellWhatHappenedAndTheWayOut(
    trap: (steps: String, code: Int32, lints: [String: String]), clock: String
  ) async throws {
    let outcome = try await PlaygroundHome().run([
      "--json", "--clock", clock, "--time-limit", "3s", "eval",
      "load SerialQueue; serial.semaphore { \(trap.steps) }",
    ])
    #expect(outcome.code == trap.code, "\(outcome)")
    let lints = try outcome.records("run").first?.objects("lints") ?? []
    #expect(Set(lints.map { $0.string("rule") ?? "" }) == Set(trap.lints.keys))
    for lint in lints {
      let expected = trap.lints[lint.string("rule") ?? ""] ?? "?"
      #expect(lint.string("message")?.contains(expected) == true, "\(lint)")
    }
  }

  @Test func theWayOutHasNoOverlap() async throws {
    let outcome = try await PlaygroundHome().records(
      "load SerialQueue; serial { a: twice 20ms; b: sleep 50ms; c: sleep 50ms }")
    let lints = try outcome.records("run").first?.objects("lints") ?? []
    #expect(lints.map { $0.string("rule") } == ["completed-twice"])
  }
}
