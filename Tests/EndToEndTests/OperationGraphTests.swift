import Testing

/// Graphs, groups and bounded concurrency as a user types them, with exact times on the virtual clock.
@Suite struct OperationGraphTests {
  /// A script, the number of workers, and the conditions that the run must satisfy.
  static let exact: [(script: String, workers: Int, expectations: [String])] = [
    (
      "bounded(2) { 4 * sleep 10ms }", 4,
      [
        "makespan == 20ms", "concurrency == 2", "work == 0ms", "blocked == 0ms", "threads == 1",
        "order sleep-1, sleep-2, sleep-3, sleep-4", "count sleep-4 == 1", "started sleep-3 == 10ms",
      ]
    ),
    (
      "graph { a: sleep 10ms; b: sleep 20ms; c: sleep 5ms after a, b }", 4,
      [
        "makespan == 25ms", "critical b, c", "concurrency == 2", "threads == 1", "blocked == 0ms",
        "started c == 20ms", "order a, b, c", "lints == 0",
      ]
    ),
    (
      "group { 4 * work 10ms }", 2,
      [
        "makespan == 20ms", "work == 40ms", "concurrency == 2", "threads == 2", "blocked == 0ms",
      ]
    ),
    (
      "group { 5 * work 10ms }", 5,
      ["makespan == 10ms", "work == 50ms", "concurrency == 5", "threads == 5"]
    ),
    (
      "graph(width: 2) { a: sleep 10ms; b: sleep 30ms; c: sleep 10ms; d: sleep 10ms }", 4,
      [
        "makespan == 30ms", "concurrency == 2", "started c == 10ms", "started d == 20ms",
        "order a, c, b, d",
      ]
    ),
    (
      "graph(1) { 3 * sleep 10ms }", 4,
      ["makespan == 30ms", "concurrency == 1", "critical sleep-1, sleep-2, sleep-3"]
    ),
    (
      "graph { page: 3 * sleep 10ms; index: work 5ms after page; sleep 2ms after index }", 4,
      ["makespan == 17ms", "started index == 10ms", "finished index == 15ms", "concurrency == 3"]
    ),
    (
      "graph { a: sleep 10ms; b: group { x: sleep 5ms; y: sleep 7ms } after a; c: value 1 after b }",
      4, ["makespan == 17ms", "started b/x == 10ms", "finished b == 17ms", "critical a, y, c"]
    ),
    ("group { a: sleep 9ms; b: value 1; c: value \"two\" }", 4, ["value == [none, 1, two]"]),
  ]

  @Test(arguments: exact)
  func `a typed graph takes exactly the expected time`(
    script: String, workers: Int, expectations: [String]
  ) async throws {
    let expects = expectations.map { "expect \($0)" }.joined(separator: "\n")
    let outcome = try await PlaygroundHome().records(
      "load OperationGraph\n\(script)\n\(expects)", "--workers", "\(workers)")
    let checked = try outcome.records("expect")
    #expect(checked.count == expectations.count, "\(outcome)")
    for expectation in checked {
      #expect(
        expectation.bool("passed") == true,
        "\(script): \(expectation.string("text") ?? "") · \(expectation.string("actual") ?? "")")
    }
    #expect(outcome.code == 0)
  }

  /// The trace of a graph: for every step, the steps it depended on and the step whose permit it took.
  @Test func `every dependency is an edge`() async throws {
    let outcome = try await PlaygroundHome().records(
      """
      load OperationGraph
      graph(2) { a: sleep 10ms; b: sleep 20ms; c: sleep 5ms after a, b; d: sleep 20ms }
      """)
    let run = try #require(try outcome.records("run").first)
    let edges = run.objects("edges").map { edge in
      ["from", "to", "kind"].map { edge.string($0) ?? "" }.joined(separator: " ")
    }
    #expect(
      edges == ["a d permit-from", "a c dependency", "b c dependency"], "\(outcome)")
  }

  static let refused: [(script: String, message: String)] = [
    (
      "graph { a: sleep 1ms after c; b: sleep 1ms after a; c: sleep 1ms after b }",
      "these steps wait for each other: a after c after b after a; leave out one “after”"
    ),
    (
      "graph { a: sleep 1ms after a }",
      "“after a” names the step itself, and a step cannot come after itself"
    ),
    ("graph { a: sleep 1ms after z }", "“after z” names no step of this list"),
    (
      "group { a: sleep 1ms; b: sleep 1ms after a }",
      "“group” does not order its steps, so it rejects “after a”; leave it out"
    ),
    (
      "bounded(1) { a: sleep 1ms; b: sleep 1ms after a }",
      "“bounded” does not order its steps, so it rejects “after a”; leave it out"
    ),
    ("bounded { sleep 1ms }", "“bounded” needs “width”, a whole number from 1"),
    ("graph(0) { sleep 1ms }", "“width” takes a whole number from 1, not 0"),
  ]

  /// The script is refused before anything runs, including the commands before the mistake.
  @Test(arguments: refused)
  func `arguments that cannot be fulfilled are refused`(
    script: String, message: String
  ) async throws {
    let outcome = try await PlaygroundHome().records("load OperationGraph; sleep 1ms; \(script)")
    #expect(outcome.code == 2)
    #expect(try outcome.records("run").isEmpty)
    #expect(try outcome.records("error").map { $0.string("message") } == [message])
  }

  /// The same on the live clock, where only the order and the number of steps are certain.
  @Test func `order and number hold on the live clock`() async throws {
    let outcome = try await PlaygroundHome().eval(
      """
      load OperationGraph
      graph(width: 2) { a: sleep 1ms; b: work 1ms; c: value 3 after a, b; d: value 4 after c }
      expect order c, d
      expect concurrency <= 2
      expect value == [none, none, 3, 4]
      bounded(1) { 3 * sleep 1ms }
      expect concurrency == 1
      group { a: sleep 1ms; b: fail "no such page"; c: sleep 1ms }
      expect outcome == failure
      expect count c == 1
      """, "--json", "--clock", "live")
    #expect(outcome.code == 0, "\(outcome)")
  }
}
