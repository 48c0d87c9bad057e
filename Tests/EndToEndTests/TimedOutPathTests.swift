import Testing

/// The critical path of runs in which steps time out.
@Suite struct TimedOutPathTests {
  private static let cases = [
    // a ends the run, whichever step delayed the timer that cancelled it.
    TimedCase(
      "group { w: work 20ms; p: serial(timeout: 5ms, on-failure: continue) { a: work 30ms with on: main } }",
      workers: 1, steps: ["p/a": 30]),
    TimedCase(
      "serial(width: 2, timeout: 13ms, on-failure: continue) { a: work 19ms with on: main; b: work 15ms }",
      workers: 1, steps: ["a": 19]),
    // b reports its end after that of p, which ended because b timed out.
    TimedCase(
      """
      serial(on-failure: continue) {
        p: serial(timeout: 11ms, on-failure: continue) { a: sleep 2ms; b: work 30ms }; q: sleep 5ms
      }
      """, workers: 2, steps: ["p/a": 2, "p/b": 11, "q": 5]),
    TimedCase(
      "serial(width: 2, timeout: 13ms, on-failure: continue) { a: sleep 3ms; b: sleep 4ms; c: work 16ms }",
      workers: 2, steps: ["a": 3, "c": 13]),
    // c got the permit of a, which was cancelled when w had released the lane.
    TimedCase(
      """
      serial {
        serial(width: 2, timeout: 13ms, on-failure: continue) {
          a: serial { w: work 17ms; v: sleep 6ms with on: pool }; b: never; c: work 9ms
        }
      }
      """, workers: 1, steps: ["serial/a/w": 17, "serial/a": 0, "serial/c": 9]),
    // q started because p timed out, and not the other way round.
    TimedCase(
      "serial(timeout: 11ms, on-failure: continue) { p: serial { a: work 13ms }; q: value 1 }",
      workers: 2, steps: ["p": 11, "q": 0]),
    // s timed out and never got the worker. Its timer was late because of k.
    TimedCase(
      """
      all {
        k: work 25ms
        p: serial(timeout: 13ms, on-failure: continue) { s: work 18ms with on: pool; x: work 5ms with on: pool }
      }
      """, workers: 1, steps: ["k": 25, "p/x": 5]),
    // The first step timed out on time, whatever delayed its end afterwards.
    TimedCase(
      """
      serial(timeout: 11ms, on-failure: continue) {
        s: sleep 21ms with on: main; p: serial.semaphore { a: sleep 12ms with on: main; b: sleep 9ms }
      }
      """, workers: 2, steps: ["s": 11, "p": 11]),
    // a was requested together with p, and its timer was set then, however long s held its lane.
    TimedCase(
      TimedOutCompositions.askedForWithItsPattern, workers: 1, steps: ["p/a": 23, "p/b": 5]),
    // p reports its earlier failure, and not that it timed out together with q.
    TimedCase(
      TimedOutCompositions.timedOutTogether, workers: 2, steps: ["q": 23, "r": 1]),
    // The timers found no worker until k ended. d cannot be interrupted, so it kept running, and e waited for main.
    TimedCase(
      """
      group {
        m: work 15ms with on: main
        p: serial(width: 2, timeout: 13ms, on-failure: continue) {
          k: work 20ms; c: task { d: work 12ms with on: main }; e: work 26ms with on: main
        }
      }
      """, workers: 1, steps: ["m": 15, "p/c/d": 12, "p/e": 26]),
    TimedCase(
      TimedOutCompositions.besideOthers, workers: 2, steps: ["m": 10, "p/d": 12, "x/z": 9]),
    // The last job of p waits for the lane that p itself blocks until its parts have ended. The timer was on time.
    TimedCase(
      """
      serial(timeout: 30ms, on-failure: continue) {
        w: work 5ms; p: serial.semaphore { a: sleep 10ms; b: sleep 27ms }; z: sleep 2ms
      }
      """, workers: 2, steps: ["w": 5, "p": 30, "z": 2]),
    // p ends when c times out, and so does q, however long c keeps running.
    TimedCase(
      """
      serial(on-failure: continue) {
        q: serial {
          p: serial(width: 2, timeout: 13ms, on-failure: continue) {
            a: sleep 2ms; b: sleep 18ms; c: work 35ms with on: main
          }
        }
        z: work 40ms
      }
      """, workers: 2, steps: ["q/p/a": 2, "q/p/c": 13, "z": 40]),
    // The timer of the whole run found no worker until x, deep in p, ended.
    TimedCase(
      """
      serial(timeout: 11ms, on-failure: continue) {
        p: serial(width: 2, timeout: 13ms, on-failure: continue) { q: serial { x: work 33ms; y: sleep 9ms } }
        z: work 27ms
      }
      """, workers: 1, steps: ["p/q/x": 33, "p": 0, "z": 27]),
    // The timer that cancels p fires late, after z, and ends the run.
    TimedCase(
      """
      serial(width: 2, timeout: 13ms, on-failure: continue) {
        x: work 15ms; y: serial.semaphore { m: work 26ms with on: main }
        p: serial.semaphore { a: sleep 27ms; b: sleep 6ms with on: main }; z: work 7ms
      }
      """, workers: 2, steps: ["y/m": 26, "z": 7, "p": 0]),
  ]

  @Test(arguments: cases)
  func `the critical path leads from the end to the start`(_ example: TimedCase) async throws {
    let outcome = try await example.analysed()
    let analysis = try #require(try outcome.records("analysis").first)
    let path = analysis.objects("critical_path")
    #expect(path.map { $0.string("step") } == example.steps.map(\.key))
    #expect(path.map { $0.integer("time_ns") } == example.steps.map { $0.value * 1_000_000 })
    #expect(analysis.integer("lead_ns") == 0)
    #expect(analysis.integer("tail_ns") == 0)
  }
}
