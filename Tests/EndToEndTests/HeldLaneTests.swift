import Testing

/// Steps that are due to end but whose lane is held. Also starts and ends with a cause other than the end of a step.
@Suite struct HeldLaneTests {
  private static func records(
    _ script: String, workers: Int = 1
  ) async throws -> PlaygroundProcess.Outcome {
    try await PlaygroundHome().run([
      "--json", "--clock", "virtual", "--workers", "\(workers)", "--save", "a.runs", "eval",
      "load SerialQueue Promises OperationGraph RunLoopTransaction\n" + script,
    ])
  }

  private static let held: [(script: String, path: [String], lane: String)] = [
    ("group { a: sleep 10ms; b: work 30ms }", ["b", "a"], "pool-1"),
    ("group { a: sleep 10ms with on: main; b: work 30ms with on: main }", ["b", "a"], "main"),
    // c waited for the lane like a, and the wait is not part of its time.
    ("transaction { a: sleep 10ms; b: work 30ms; c: work 5ms with on: pool }", ["b", "c"], "main"),
  ]

  @Test(arguments: held)
  func `the critical path leads to the step that held the lane`(
    script: String, path: [String], lane: String
  ) async throws {
    let outcome = try await Self.records(script + "\ntrace why a; trace why b")
    let run = try #require(try outcome.records("run").first, "\(outcome)")
    #expect(run.strings("critical_path") == path)
    #expect(run.objects("steps").first?.integer("late_ns") == 20_000_000)
    let interval = try #require(run.objects("intervals").first { $0.string("step") == "a" })
    #expect(interval.string("kind") == "queued")
    let accounts = try outcome.records("why")
    let queue = try #require(accounts.first?.objects("queued").first)
    #expect(queue.string("held_by") == "b" && queue.string("lane") == lane)
    #expect(queue.integer("from_ns") == 10_000_000 && queue.integer("to_ns") == 30_000_000)
  }

  /// When a ends, s wakes its blocked thread by a job on main. The job waits until w no longer holds main.
  @Test func `a blocked thread may be woken by a job of its own that waited`() async throws {
    let outcome = try await Self.records(
      """
      serial(on-failure: continue) {
        g: group {
          s: serial.semaphore { a: serial { y: sleep 5ms with on: pool; f: fail "x" }; b: sleep 1ms }
          r: serial { v: sleep 3ms; w: work 20ms with on: main }
        }
        z: sleep 4ms
      }
      trace why y; trace why s
      """, workers: 2)
    #expect(try outcome.records("run").first?.strings("critical_path") == ["v", "w", "z"])
    let accounts = try outcome.records("why")
    #expect(accounts.first?.integer("slack_ns") == 18_000_000)
    let pattern = try #require(accounts.last)
    #expect(pattern.objects("queued").contains { $0.string("held_by") == "g/r/w" })
    #expect(pattern.objects("blocked").map { $0.string("woken_by") } == ["g/s/a", nil])
  }

  /// q has timed out and skips its remaining steps. Each skip goes by way of main and the blocked thread of q.
  @Test func `a blocked thread of a pattern that timed out is on the path`() async throws {
    let outcome = try await Self.records(
      """
      bounded.semaphore(2) {
        p: serial(timeout: 23ms, on-failure: continue) {
          q: serial.semaphore { a: work 38ms with on: main; sleep 27ms; work 26ms }
          b: work 28ms with on: main; c: sleep 13ms
        }
        d: sleep 35ms; e: work 25ms; work 3ms with on: pool
      }
      trace analyse
      """, workers: 2)
    let path = try #require(try outcome.records("analysis").first).objects("critical_path")
    #expect(path.map { $0.string("step") } == ["p/q/a", "p/q", "p/b", "e"])
    #expect(path.map { $0.integer("time_ns") } == [38_000_000, 0, 28_000_000, 25_000_000])
  }

  @Test func `the text names the step that held the lane`() async throws {
    let outcome = try await PlaygroundHome().run([
      "--clock", "virtual", "--workers", "1", "--no-color", "eval",
      "load OperationGraph; group { a: sleep 10ms; b: work 30ms }; trace analyse; trace why a",
    ])
    #expect(outcome.output.contains("later queued behind b"))
    #expect(
      outcome.output.contains(
        "from 10ms to 30ms it was ready to continue, and waited for pool-1, which b held"))
  }

  @Test func `a simulation does not count the wait for a lane as own time`() async throws {
    let home = try PlaygroundHome()
    _ = try await home.run([
      "--clock", "virtual", "--workers", "1", "--save", "a.runs", "eval",
      "load OperationGraph; group { a: sleep 10ms; b: work 30ms }",
    ])
    let outcome = try await home.run([
      "--json", "eval", "load OperationGraph; simulate a.runs with b * 0.5",
    ])
    #expect(try outcome.records("simulate").first?.integer("makespan_ns") == 15_000_000)
  }

  private static let timed: [(script: String, path: [String])] = [
    (
      "serial { t: timeout(30ms, value: 1) { s1: sleep 20ms; s2: sleep 40ms }; u: sleep 5ms }",
      ["t", "u"]
    ),
    // t had ended before its timer fired.
    ("serial { t: timeout(30ms, value: 1) { s1: sleep 20ms }; u: sleep 5ms }", ["s1", "u"]),
    // The next step started after a step that timed out.
    (
      "serial(timeout: 10ms, on-failure: continue) { z: sleep 2ms; a: sleep 1min; b: sleep 5ms }",
      ["z", "a", "b"]
    ),
    // The same holds if the step ended a moment after the next one started, on a worker.
    (
      "serial(timeout: 10ms, on-failure: continue) { z: sleep 2ms; a: work 1min; b: sleep 5ms }",
      ["z", "a", "b"]
    ),
    (
      """
      graph(on-failure: finish-independent) {
        z: sleep 2ms; a: work 1min after z with timeout: 10ms; b: sleep 5ms after a with trigger: all-done
      }
      """,
      ["z", "a", "b"]
    ),
    // The same holds if the step had parts.
    (
      """
      serial(timeout: 38ms, on-failure: continue) {
        s1: sleep 5ms; s2: group { x: sleep 50ms; y: sleep 60ms }; s8: sleep 10ms
      }
      """, ["s1", "s2", "s8"]
    ),
    // A late frame is not a late end.
    (
      "group { a: animate(duration: 100ms); b: serial { c: sleep 30ms; d: work 20ms with on: main } }",
      ["a"]
    ),
    // The run's own step is not part of the path.
    ("timeout(30ms, value: 1) { s1: sleep 20ms; s2: sleep 40ms }", ["s1", "s2"]),
    // The time after a step belongs to the hand-over.
    ("serial { d: delay(5ms) { s1: sleep 20ms }; u: sleep 5ms }", ["s1", "u"]),
    // The end of a part set its timer, so that part comes before it on the path.
    (
      """
      recover {
        g: graph { a: work 10ms; b: sleep 20ms after a with timeout: 5ms }; u: sleep 5ms
      }
      """, ["a", "b", "u"]
    ),
    // A step that left the lane long ago delays no other step.
    (
      """
      group { d: serial { x: delay(40ms) { s: sleep 10ms }; u: sleep 5ms }; b: work 30ms with on: main }
      """, ["s", "u"]
    ),
  ]

  @Test(arguments: timed)
  func `a step that its own timer ended is on the path`(
    script: String, path: [String]
  ) async throws {
    let outcome = try await Self.records(script, workers: 4)
    #expect(try outcome.records("run").first?.strings("critical_path") == path)
  }

  /// A step that hops to a lane waits for the steps that hold it. The steps that it then starts also wait.
  private static let hopped: [(script: String, workers: Int, path: [String])] = [
    (
      """
      group {
        m: serial { p: sleep 10ms; q: work 50ms with on: main }
        c: serial.semaphore { d: block 20ms; e: work 10ms }
      }
      """, 8, ["p", "q", "e"]
    ),
    (
      "group { t: serial(timeout: 10ms, on-failure: continue) { s: sleep 50ms; u: sleep 5ms }; b: work 30ms }",
      1, ["b", "s", "u"]
    ),
    // The same holds if the step has parts.
    (
      """
      serial(timeout: 21ms, on-failure: continue) {
        s: group { a: work 22ms; b: work 6ms; c: sleep 38ms with on: main }; u: sleep 5ms
      }
      """, 1, ["a", "b", "s", "u"]
    ),
    // A display waits for the end of a turn, and the turn waits for the step that holds the main lane.
    (
      """
      load AsyncRender
      group {
        r: render(text: "x", line-cost: 2ms) { a: sleep 20ms with on: main; b: work 24ms with on: main }
      }
      """, 4, ["a", "b", "draw-2"]
    ),
  ]

  @Test(arguments: hopped)
  func `a hop waits for the step that held the lane`(
    script: String, workers: Int, path: [String]
  ) async throws {
    let outcome = try await Self.records(script, workers: workers)
    #expect(try outcome.records("run").first?.strings("critical_path") == path)
  }

  /// The drawings hold the main lane all the time, so they are the whole run.
  @Test func `drawing on the main lane is the whole critical path`() async throws {
    let outcome = try await Self.records(
      """
      load AsyncRender
      render.sync(line-cost: 10ms, text: "one") { a: work 5ms; b: sleep 5ms }
      trace analyse
      """, workers: 4)
    let analysis = try #require(try outcome.records("analysis").first)
    let path = analysis.objects("critical_path")
    #expect(path.reduce(0) { $0 + ($1.integer("time_ns") ?? 0) } == 30_000_000)
    #expect(path.allSatisfy { $0.string("step")?.hasPrefix("draw-") ?? false }, "\(path)")
  }

  /// If a try ends later, the next one starts later by the same amount: the time between two tries is constant.
  @Test func `the delay between two tries is not slack`() async throws {
    let outcome = try await Self.records(
      """
      group {
        r: retry(2, delay: 10ms) { w: work 20ms with on: main; s: fail "x" } with on: main
        b: serial { p: sleep 5ms; q: work 30ms with on: main }
      }
      trace analyse
      """, workers: 4)
    let steps = try #require(try outcome.records("analysis").first).objects("steps")
    #expect(steps.first { $0.string("path") == "r/s" }?.integer("slack_ns") == 20_000_000)
  }

  /// The pattern cancelled its steps when it timed out, but the step on the main lane could not be interrupted.
  @Test func `a step that holds the main lane keeps running and ends the run`() async throws {
    let outcome = try await Self.records(
      "timeout(10ms, value: 1) { s1: sleep 2ms; s2: work 40ms with on: main }", workers: 2)
    let run = try #require(try outcome.records("run").first)
    #expect(run.integer("makespan_ns") == 42_000_000)
    #expect(run.strings("critical_path") == ["s1", "s2"])
  }
}
