import Testing

/// Expectations about every quantity, satisfied and not satisfied.
@Suite struct ExpectationTests {
  static let setting = """
    load SerialQueue
    job = [ fetch: sleep 20ms; 2 * work 5ms; pause: block 10ms; answer: value 42 ]

    """

  static let expectations: [(holds: String, fails: String, actual: String)] = [
    ("makespan == 40ms", "makespan < 40ms", "40ms"),
    ("makespan <= 40ms", "makespan > 1s", "40ms"),
    ("makespan != 41ms", "makespan != 40ms", "40ms"),
    ("work == 10ms", "work == 20ms", "10ms"),
    ("blocked >= 10ms", "blocked == 0", "10ms"),
    ("concurrency == 1", "concurrency == 2", "1"),
    ("threads == 1", "threads > 1", "1"),
    ("outcome == success", "outcome == failure", "success"),
    ("value == 42", "value == 43", "42"),
    ("value > 41.5", "value == \"42\"", "42"),
    ("lints == blocked-thread", "lints == none", "blocked-thread"),
    ("lints == 1", "lints == 0", "1 (blocked-thread)"),
    ("lints != completed-twice", "lints == completed-twice", "blocked-thread"),
    ("order fetch, work-1, work-2, pause", "order pause, fetch", "fetch, pause"),
    ("order fetch, work, pause", "order work, fetch", "fetch, work"),
    (
      "critical fetch, work-1, work-2, pause, answer", "critical fetch, pause",
      "fetch, work-1, work-2, pause, answer"
    ),
    ("count work == 2", "count work == 1", "2"),
    ("count fetch == 1", "count fetch > 1", "1"),
    ("started fetch == 0ms", "started fetch > 0ms", "0ns"),
    ("started work == 20ms", "started work-2 == 20ms", "25ms"),
    ("finished fetch == 20ms", "finished fetch < 20ms", "20ms"),
    ("finished work == 30ms", "finished work == 25ms", "30ms"),
    ("started pause", "finished pause == 1s", "40ms"),
  ]

  @Test(arguments: expectations)
  func `each expectation about a run passes or fails`(
    holds: String, fails: String, actual: String
  ) async throws {
    let outcome = try await PlaygroundHome().records(
      Self.setting + "serial job; expect \(holds); expect \(fails)")
    let records = try outcome.records("expect")
    #expect(records.map { $0.bool("passed") } == [true, false], "\(outcome)")
    #expect(records.map { $0.string("text") } == [holds, fails])
    #expect(records.last?.string("actual") == actual)
    #expect(outcome.code == 1)
  }

  /// A value has the kind that it was given: a string is no number, and a number is no duration.
  @Test(arguments: [
    ("\"b\"", "value > \"a\"", "value < \"a\"", "\"b\""), ("5", "value < 6", "value < 6ms", "5"),
    ("\"3\"", "value == \"3\"", "value == 3", "\"3\""), ("5ms", "value > 0", "value > 5", "5ms"),
  ])
  func `values of one kind are compared`(
    value: String, holds: String, fails: String, actual: String
  ) async throws {
    let outcome = try await PlaygroundHome().records(
      "value \(value); expect \(holds); expect \(fails)")
    let records = try outcome.records("expect")
    #expect(records.map { $0.bool("passed") } == [true, false], "\(outcome)")
    #expect(records.last?.string("actual") == actual)
  }

  @Test(arguments: ["fail \"x\" &; wait", "fail \"x\" &; wait 1"])
  func `a failure in the background may be expected`(script: String) async throws {
    let home = try PlaygroundHome()
    let expected = try await home.eval("\(script); expect outcome == failure")
    #expect(expected.code == 0, "\(expected)")
    let unexpected = try await home.eval("\(script); value 1")
    #expect(unexpected.code == 3, "\(unexpected)")
    let notAwaited = try await home.eval("fail \"x\" &; value 1")
    #expect(notAwaited.code == 3, "\(notAwaited)")
  }

  /// The ratio is two thirds.
  @Test(arguments: [
    ("ratio all == 0.667", true, "0.6667"), ("ratio all == 0.6667", true, "0.66667"),
    ("ratio all == 0.67", true, "0.667"), ("ratio all == 0.670", false, "0.6667"),
    ("ratio all == 0.66", false, "0.667"), ("ratio all != 0.667", false, "0.6667"),
    ("ratio all != 0.668", true, "0.6667"), ("ratio all == 1", false, "0.667"),
    ("ratio all == 6.67e-1", false, "0.6667"), ("ratio all < 0.6", false, "0.667"),
    ("ratio all < 0.667", true, "0.6667"),
    ("ratio all == 0.66666666666666666666", true, "0.66666666666666663"),
  ])
  func `a ratio is compared and shown with the decimals that are written`(
    condition: String, passed: Bool, actual: String
  ) async throws {
    let outcome = try await PlaygroundHome().records(
      "load Promises SerialQueue; compare [ a: sleep 20ms; b: sleep 10ms ] under serial, all; expect \(condition)"
    )
    let record = try #require(try outcome.records("expect").last)
    #expect(record.bool("passed") == passed && record.string("actual") == actual, "\(outcome)")
  }

  @Test(arguments: [("== 1ms", "1000001ns"), ("< 1ms", "1000001ns"), ("< 900us", "1ms")])
  func `a duration does not look like the expected one if it differs`(
    condition: String, actual: String
  ) async throws {
    let outcome = try await PlaygroundHome().records(
      "sleep 1000001ns; expect makespan \(condition)")
    let record = try #require(try outcome.records("expect").last)
    #expect(record.bool("passed") == false && record.string("actual") == actual, "\(outcome)")
  }

  static let comparisons: [(holds: String, fails: String)] = [
    ("ratio serial.semaphore == 1", "ratio serial.semaphore < 1"),
    ("ratio serial.semaphore <= 1.2", "ratio serial >= 1.2"),
    ("verdict serial == baseline", "verdict serial == same"),
    ("verdict serial.semaphore == same", "verdict serial.semaphore == faster"),
  ]

  @Test(arguments: comparisons)
  func `each expectation about a comparison passes or fails`(
    holds: String, fails: String
  ) async throws {
    let outcome = try await PlaygroundHome().records(
      Self.setting + "compare job under serial, serial.semaphore; expect \(holds); expect \(fails)")
    #expect(try outcome.records("expect").map { $0.bool("passed") } == [true, false], "\(outcome)")
    #expect(outcome.code == 1)
  }

  @Test func `an expectation about an event that did not happen fails`() async throws {
    let outcome = try await PlaygroundHome().records(
      """
      load SerialQueue
      serial { a: value 1; b: fail "no"; c: value 3 }
      expect outcome == failure
      expect started c
      expect finished c
      expect order a, c
      expect count c == 0
      expect count b == 1
      """)
    #expect(
      try outcome.records("expect").map { $0.bool("passed") } == [
        true, false, false, false, true, true,
      ],
      "\(outcome)")
  }

  @Test func `paths distinguish steps with the same label`() async throws {
    let outcome = try await PlaygroundHome().records(
      """
      load SerialQueue
      serial { one: serial { a: sleep 10ms }; two: serial { a: sleep 30ms } }
      expect finished one/a == 10ms
      expect finished two/a == 40ms
      expect order one/a, two/a
      expect count a == 2
      """)
    #expect(outcome.code == 0, "\(outcome)")
  }
}
