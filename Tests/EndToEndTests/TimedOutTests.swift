import Testing

/// Steps that time out but cannot be interrupted. The next step runs beside them, and the record shows both as they
/// were.
@Suite struct TimedOutTests {
  private static let keepsRunning = """
    serial(timeout: 10ms, on-failure: continue) { a: work 50ms with on: main; b: sleep 5ms }
    """

  @Test func `a step that keeps running ends the run`() async throws {
    let outcome = try await TimedOutCompositions.run(
      Self.keepsRunning + "\nexpect order b, a\ntrace analyse; trace why b", workers: 2)
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

  /// The start of b depends on the timer of a, and not on the end of a.
  @Test(arguments: ["a: work 25ms with on: main", "a: serial { x: work 25ms with on: main }"])
  func `a step that keeps running is awaited until it times out`(first: String) async throws {
    let outcome = try await TimedOutCompositions.run(
      """
      serial(timeout: 10ms, on-failure: continue) { \(first); b: sleep 9ms; c: work 9ms }
      trace analyse; trace why b; trace why a
      """, workers: 1)
    let path = try #require(try outcome.records("analysis").first).objects("critical_path")
    #expect(path.map { $0.string("step") } == ["a", "b", "c"])
    #expect(path.map { $0.integer("time_ns") } == [10_000_000, 9_000_000, 9_000_000])
    #expect(path.map { $0.integer("at_ns") } == [0, 10_000_000, 19_000_000])
    let why = try #require(try outcome.records("why").first)
    #expect(why.objects("waits").map { $0.string("from") } == ["a"])
    #expect(why.objects("waits").map { $0.integer("until_ns") } == [10_000_000])
    #expect(why.objects("waits").first?["timed_out"] as? Bool == true)
    #expect(why.integer("ready_ns") == 10_000_000)
    let keepsRunning = try #require(try outcome.records("why").last)
    #expect(keepsRunning.integer("timed_out_ns") == 10_000_000)
    #expect(keepsRunning.integer("finished_ns") == 25_000_000)
    #expect(keepsRunning["ended_by_timer"] as? Bool == false)
  }

  /// x holds the only worker, so the timer of a is late, and so is everything after it.
  @Test func `a step that delayed a timer has no slack`() async throws {
    let outcome = try await TimedOutCompositions.run(
      """
      serial(timeout: 10ms, on-failure: continue) {
        a: serial { x: work 35ms; y: work 5ms }; b: serial { z: sleep 29ms }
      }
      trace analyse
      """, workers: 1)
    let analysis = try #require(try outcome.records("analysis").first)
    #expect(analysis.objects("critical_path").map { $0.string("step") } == ["a/x", "a", "b"])
    #expect(analysis.objects("steps")[1].integer("slack_ns") == 0)
  }

  /// p ends when a times out, although a keeps running.
  @Test func `a pattern ends with the step that times out last`() async throws {
    let outcome = try await TimedOutCompositions.run(
      """
      serial(on-failure: continue) {
        p: serial(timeout: 10ms, on-failure: continue) { z: sleep 5ms; a: work 50ms with on: main }
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

  @Test func `a step that keeps running beside others is critical`() async throws {
    let outcome = try await TimedOutCompositions.run(
      "group { s: \(Self.keepsRunning); o: sleep 30ms }", workers: 2)
    #expect(try outcome.records("run").first?.strings("critical_path") == ["a"])
  }

  /// c never gets its lane. d waits for the timer of c. On the path, d follows the step that c depended on.
  @Test func `a step that never started is awaited until its timer fires`() async throws {
    let outcome = try await TimedOutCompositions.run(
      """
      serial(timeout: 10ms, on-failure: continue) {
        a: work 50ms with on: main; b: sleep 5ms; c: work 30ms with on: main; d: block 3ms
      }
      trace why d
      """, workers: 2)
    let wait = try #require(try outcome.records("why").first?.objects("waits").first)
    #expect(wait.string("from") == "c" && wait.integer("until_ns") == 25_000_000)
    #expect(wait["timed_out"] as? Bool == true)
  }

  /// The timer was late before the part started.
  @Test func `a step that starts after its timer fired does not end late`() async throws {
    let outcome = try await TimedOutCompositions.run(
      "timeout(23ms, value: 1) { n1: work 24ms; n2: sleep 19ms }", workers: 1)
    let step = try #require(try outcome.records("run").first).objects("steps")[1]
    #expect(step.integer("late_ns") == 0)
    #expect(step.integer("started_ns") == step.integer("finished_ns"))
  }

  /// b is cancelled while a, which was cancelled before it, still holds the main lane. q waits for p until b is
  /// cancelled.
  @Test func `a step that times out before it starts is awaited too`() async throws {
    let outcome = try await TimedOutCompositions.run(
      """
      serial(on-failure: continue) {
        p: serial(timeout: 11ms, on-failure: continue) {
          a: work 32ms with on: main; b: sleep 16ms with on: main
        }
        q: sleep 31ms
      }
      trace analyse; trace why q; trace why p
      """, workers: 1)
    let path = try #require(try outcome.records("analysis").first).objects("critical_path")
    #expect(path.map { $0.string("step") } == ["p/a", "p/b", "q"])
    #expect(path.map { $0.integer("time_ns") } == [11_000_000, 11_000_000, 31_000_000])
    let handOver = path.last?["hand_over"] as? [String: Any]
    #expect(handOver?["from"] as? String == "p")
    #expect(handOver?["delay_ns"] as? Int == 0)
    let accounts = try outcome.records("why")
    #expect(accounts.first?.objects("waits").map { $0.string("from") } == ["p"])
    #expect(accounts.last?.integer("slack_ns") == 0)
  }

  /// The timeout of d did not start anything, but the timer of d recorded how late it was.
  @Test func `a step that a late timer did not stop is said to have kept running`() async throws {
    let outcome = try await TimedOutCompositions.run(
      """
      group {
        m: work 15ms with on: main
        p: serial(width: 2, timeout: 13ms, on-failure: continue) {
          k: work 20ms; c: task { d: work 12ms with on: main }
        }
      }
      trace why d; trace why c
      """, workers: 1)
    let accounts = try outcome.records("why")
    #expect(accounts.map { $0.integer("timed_out_ns") } == [20_000_000, 20_000_000])
    #expect(accounts.map { $0.integer("finished_ns") } == [27_000_000, 27_000_000])
    #expect(accounts.allSatisfy { $0["ended_by_timer"] as? Bool == false })
  }

  /// Nothing starts or ends when d times out, and its timer was not late. c times out, and d is a part of it.
  @Test(arguments: [
    (TimedOutCompositions.besideOthers, 22_000_000, ["d"]),
    (
      """
      group {
        p: serial(width: 3, timeout: 13ms, on-failure: continue) {
          a: sleep 2ms; c: task { d: work 20ms with on: main }; e: sleep 12ms; f: sleep 20ms; g: sleep 12ms
        }
      }
      """, 20_000_000, ["d", "c"]
    ),
  ])
  func `a step that a timer did not stop is reported to have kept running`(
    composition: String, end: Int, steps: [String]
  ) async throws {
    let questions = steps.map { "; trace why \($0)" }.joined()
    let outcome = try await TimedOutCompositions.run(composition + questions, workers: 2)
    let accounts = try outcome.records("why")
    #expect(accounts.count == steps.count)
    #expect(accounts.allSatisfy { $0.integer("timed_out_ns") == 13_000_000 })
    #expect(accounts.allSatisfy { $0.integer("finished_ns") == end })
    #expect(accounts.allSatisfy { $0["ended_by_timer"] as? Bool == false })
    let lints = try #require(try outcome.records("run").first).objects("lints")
    #expect(lints.map { $0.string("rule") } == ["late-cancel"])
  }

  @Test func `a step after one that never started waited for its timer`() async throws {
    let outcome = try await TimedOutCompositions.run(
      """
      group {
        x: work 27ms with on: main
        p: serial(timeout: 11ms, on-failure: continue) { a: work 5ms with on: main; b: work 14ms }
      }
      trace why b
      """, workers: 1)
    let waits = try #require(try outcome.records("why").first).objects("waits")
    #expect(waits.map { $0.string("from") } == ["p/a"])
    #expect(waits.map { $0.integer("until_ns") } == [11_000_000])
    #expect(waits.first?["timed_out"] as? Bool == true)
  }

  /// a ends at the moment when its timer fires, so b did wait for its end.
  @Test func `a step that ends in time is not reported as timed out`() async throws {
    let outcome = try await TimedOutCompositions.run(
      "serial(timeout: 11ms, on-failure: continue) { a: work 30ms; b: sleep 5ms }\ntrace why b",
      workers: 2)
    let waits = try #require(try outcome.records("why").first).objects("waits")
    #expect(waits.map { $0.string("from") } == ["a"])
    #expect(waits.first?["timed_out"] as? Bool == false)
  }

  /// p reports the failure that came first.
  @Test(arguments: [
    (
      part: "work 50ms with on: main",
      says: "x; it had timed out at 10ms, by a timer of its pattern"
    ),
    (part: "sleep 50ms", says: "x; a timer ended it"),
  ])
  func `a timer is reported beside a failure`(part: String, says: String) async throws {
    let outcome = try await PlaygroundHome().run([
      "--clock", "virtual", "--workers", "2", "eval",
      """
      load SerialQueue
      serial(timeout: 10ms, on-failure: continue) {
        p: serial(on-failure: continue) { f: fail "x"; a: \(part) }; q: sleep 5ms
      }
      trace why p
      """,
    ])
    #expect(outcome.output.contains(says), "\(outcome.output)")
  }
}
