import Testing

/// What a timer cuts off and cannot stop: the next step goes on beside it, and both are told as they were.
@Suite struct CutOffTests {
  private static func outcome(_ script: String, workers: Int) async throws
    -> PlaygroundProcess.Outcome
  {
    try await PlaygroundHome().run([
      "--json", "--clock", "virtual", "--workers", "\(workers)", "eval",
      "load SerialQueue Promises OperationGraph\n" + script,
    ])
  }

  private static let goingOn = """
    serial(timeout: 10ms, on-failure: go-on) { a: work 50ms with on: main; b: sleep 5ms }
    """

  @Test func whatGoesOnEndsTheRun() async throws {
    let outcome = try await Self.outcome(
      Self.goingOn + "\nexpect order b, a\ntrace analyse; trace why b", workers: 2)
    #expect(try outcome.records("expect").first?["passed"] as? Bool == true)
    let run = try #require(try outcome.records("run").first)
    #expect(run.integer("makespan_ns") == 50_000_000)
    #expect(run.strings("critical_path") == ["a"])
    #expect(run.objects("lints").contains { $0.string("rule") == "late-cancel" })
    let steps = try #require(try outcome.records("analysis").first).objects("steps")
    #expect(steps.map { $0.integer("slack_ns") } == [nil, 35_000_000])
    let why = try #require(try outcome.records("why").first)
    #expect(why.integer("started_ns") == 10_000_000)
    #expect(why.objects("waits").allSatisfy { ($0.integer("until_ns") ?? 0) <= 10_000_000 })
  }

  /// b comes after a until its timer, and a's end is nothing to it.
  @Test(arguments: ["a: work 25ms with on: main", "a: serial { x: work 25ms with on: main }"])
  func whatGoesOnIsWaitedForUntilItIsCutOff(first: String) async throws {
    let outcome = try await Self.outcome(
      """
      serial(timeout: 10ms, on-failure: go-on) { \(first); b: sleep 9ms; c: work 9ms }
      trace analyse; trace why b; trace why a
      """, workers: 1)
    let path = try #require(try outcome.records("analysis").first).objects("critical_path")
    #expect(path.map { $0.string("step") } == ["a", "b", "c"])
    #expect(path.map { $0.integer("time_ns") } == [10_000_000, 9_000_000, 9_000_000])
    #expect(path.map { $0.integer("at_ns") } == [0, 10_000_000, 19_000_000])
    let why = try #require(try outcome.records("why").first)
    #expect(why.objects("waits").map { $0.string("from") } == ["a"])
    #expect(why.objects("waits").map { $0.integer("until_ns") } == [10_000_000])
    #expect(why.objects("waits").first?["cut_off"] as? Bool == true)
    #expect(why.integer("ready_ns") == 10_000_000)
    let goingOn = try #require(try outcome.records("why").last)
    #expect(goingOn.integer("cut_off_ns") == 10_000_000)
    #expect(goingOn.integer("finished_ns") == 25_000_000)
    #expect(goingOn["ended_by_timer"] as? Bool == false)
  }

  /// x holds the only worker, so that the timer of a is late, and so is everything from then on.
  @Test func whoHeldTheTimerUpHasNoSlack() async throws {
    let outcome = try await Self.outcome(
      """
      serial(timeout: 10ms, on-failure: go-on) {
        a: serial { x: work 35ms; y: work 5ms }; b: serial { z: sleep 29ms }
      }
      trace analyse
      """, workers: 1)
    let analysis = try #require(try outcome.records("analysis").first)
    #expect(analysis.objects("critical_path").map { $0.string("step") } == ["a/x", "a", "b"])
    #expect(analysis.objects("steps")[1].integer("slack_ns") == 0)
  }

  /// p ends when a is cut off, which goes on.
  @Test func aPatternEndsWithWhatItCutsOffLast() async throws {
    let outcome = try await Self.outcome(
      """
      serial(on-failure: go-on) {
        p: serial(timeout: 10ms, on-failure: go-on) { z: sleep 5ms; a: work 50ms with on: main }
        q: sleep 60ms
      }
      trace analyse
      """, workers: 2)
    let analysis = try #require(try outcome.records("analysis").first)
    let path = analysis.objects("critical_path")
    #expect(path.map { $0.string("step") } == ["p/z", "p/a", "q"])
    #expect(path.map { $0.integer("time_ns") } == [5_000_000, 10_000_000, 60_000_000])
    #expect(analysis.objects("steps")[1].integer("slack_ns") == 0)
  }

  @Test func besideOthersToo() async throws {
    let outcome = try await Self.outcome(
      "group { s: \(Self.goingOn); o: sleep 30ms }", workers: 2)
    #expect(try outcome.records("run").first?.strings("critical_path") == ["a"])
  }

  /// c never gets its lane: what comes after it comes after what that came after.
  @Test func whatNeverStartedIsPassedOver() async throws {
    let outcome = try await Self.outcome(
      """
      serial(timeout: 10ms, on-failure: go-on) {
        a: work 50ms with on: main; b: sleep 5ms; c: work 30ms with on: main; d: block 3ms
      }
      trace why d
      """, workers: 2)
    let wait = try #require(try outcome.records("why").first?.objects("waits").first)
    #expect(wait.string("from") == "b" && wait.integer("until_ns") == 15_000_000)
  }

  /// The timer was late before the part began.
  @Test func noEndIsLaterThanItsStepTook() async throws {
    let outcome = try await Self.outcome(
      "timeout(23ms, value: 1) { n1: work 24ms; n2: sleep 19ms }", workers: 1)
    let step = try #require(try outcome.records("run").first).objects("steps")[1]
    #expect(step.integer("late_ns") == 0)
    #expect(step.integer("started_ns") == step.integer("finished_ns"))
  }
}
