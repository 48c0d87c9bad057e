import Testing

/// The slack of steps that time out, and of the steps before them.
@Suite struct TimedSlackTests {
  private static let cases = [
    // a was requested together with p, and its timer was set then.
    TimedCase(
      TimedOutCompositions.askedForWithItsPattern, workers: 1, steps: ["s": 26, "p": 0]),
    // a runs until 40 ms, or later by as much as s ends later. The run ends at 46 ms.
    TimedCase(
      """
      group {
        s: work 2ms with on: main
        p: serial(timeout: 23ms, on-failure: continue) { a: work 38ms with on: main; b: sleep 50ms }
      }
      """, workers: 1, steps: ["s": 6, "p": 0]),
    // A step that timed out on time had held the only worker until then, and so delayed the timer of t.
    TimedCase(
      """
      serial(width: 2, timeout: 13ms, on-failure: continue) {
        s: sleep 3ms; t: serial { x: sleep 20ms with on: main }; p: serial { w: work 14ms }; y: sleep 4ms
      }
      """, workers: 1, steps: ["s": 0, "p/w": 0, "y": 0]),
    // d keeps running after it timed out, and a later m delays the start of z by the same amount. p no longer waits for
    // d.
    TimedCase(TimedOutCompositions.besideOthers, workers: 2, steps: ["m": 0, "p": 7, "x/y": 17]),
    // q waits for p, and p does not end with d.
    TimedCase(
      """
      group {
        m: work 10ms with on: main
        s: serial(on-failure: continue) {
          p: serial(width: 2, timeout: 13ms, on-failure: continue) {
            d: work 12ms with on: main; e: sleep 12ms; f: sleep 12ms
          }
          q: sleep 30ms
        }
      }
      """, workers: 2, steps: ["m": 32, "s/p": 0]),
    // a delays the timer of t. The timer cancels b, and b then releases the worker that d waits for.
    TimedCase(
      """
      all {
        a: work 31ms
        p: bounded(2) {
          any { work 13ms }; t: timeout(11ms, value: 1) { b: work 22ms }
          g: group { c: sleep 19ms; e: work 34ms; d: work 6ms; f: work 24ms }
          h: all { sleep 4ms with on: main; i: work 23ms; work 5ms with on: main }
        }
      }
      """, workers: 2, steps: ["a": 0]),
    TimedCase(
      """
      serial(width: 2, timeout: 13ms, on-failure: continue) {
        p: serial(timeout: 11ms, on-failure: continue) { c: work 33ms; sleep 26ms }
        q: serial(timeout: 23ms, on-failure: continue) { a: work 24ms; sleep 11ms }
        r: bounded.semaphore(2) { work 12ms; sleep 18ms with on: pool; sleep 22ms with on: main }; b: work 40ms
      }
      """, workers: 2, steps: ["q/a": 0]),
    // The timer of p is on time. The last action of q waits for its own part.
    TimedCase(
      """
      serial(width: 2, timeout: 13ms, on-failure: continue) {
        a: work 12ms; sleep 22ms with on: main
        p: serial(timeout: 23ms, on-failure: continue) { q: serial.semaphore { sleep 18ms with on: main } }
      }
      """, workers: 2, steps: ["a": 0]),
    // The timer of q finds a worker when a wakes the thread of q. The thread then waits for main, which c holds.
    TimedCase(
      """
      bounded.semaphore(2) {
        p: serial(timeout: 23ms, on-failure: continue) {
          q: serial.semaphore { a: sleep 27ms; b: work 28ms }; c: work 29ms with on: main
        }
        d: sleep 35ms; e: work 3ms with on: pool
      }
      """, workers: 2, steps: ["p/q/a": 0, "p/c": 0]),
    // p ends when d times out, and e gets its permit then. d holds main, which e needs.
    TimedCase(
      """
      bounded.semaphore(2) {
        a: sleep 33ms with on: pool
        p: serial(width: 2, timeout: 13ms, on-failure: continue) {
          b: sleep 5ms; c: work 10ms with on: main; d: work 30ms with on: main
        }
        e: work 24ms with on: main
      }
      """, workers: 2, steps: ["p/c": 0, "e": 0]),
    // p times out together with q and so delays no step, although it reports its own failure.
    TimedCase(
      TimedOutCompositions.timedOutTogether, workers: 2, steps: ["q/x": 5, "r": 0]),
    // k holds main until 39 ms. b was cancelled at 32 ms, but needs main to report that.
    TimedCase(
      """
      race {
        g: bounded(2) {
          a: work 15ms; b: sleep 29ms with on: main; c: serial(timeout: 17ms) { d: sleep 13ms with on: main }
        }
        k: work 39ms with on: main
      }
      """, workers: 2, steps: ["g/a": 7, "g/c": 7, "k": 0]),
    // p ends together with a, which timed out at 12 ms and kept running; p does not end at 12 ms.
    TimedCase(
      """
      serial(width: 2, timeout: 13ms, on-failure: continue) {
        p: serial(timeout: 11ms, on-failure: continue) { a: work 20ms with on: main; b: sleep 5ms with on: main }
        w: work 12ms
      }
      """, workers: 1, steps: ["w": 8, "p": 0]),
    // g ends when d times out, so c may take until then.
    TimedCase(
      """
      serial(on-failure: continue) {
        g: serial(width: 2, timeout: 13ms, on-failure: continue) {
          a: sleep 17ms with on: main; b: work 2ms; c: sleep 30ms with on: main; d: work 35ms with on: main
        }
        q: work 37ms with on: pool
      }
      """, workers: 2, steps: ["g/b": 11, "g": 0, "q": 0]),
    // The last action of s waits for s itself, and a later w does not delay it.
    TimedCase(
      "serial(timeout: 23ms, on-failure: continue) { w: work 5ms; s: serial.semaphore { a: sleep 27ms } }",
      workers: 2, steps: ["w": 0]),
    // f, a part of p, delays the timer of p. So p may be requested later by the same amount.
    TimedCase(
      """
      operations {
        t: timeout(33ms, value: 1) {
          a: work 7ms with on: main; p: serial(timeout: 17ms) { q: all { e: work 20ms; f: work 25ms } }
        }
        k: work 38ms with on: pool
      }
      """, workers: 1, steps: ["k": 0, "t/a": 31]),
    // c delays the timer of p. When p has ended, the thread of the whole run continues and needs main, which a holds
    // until 17 ms.
    TimedCase(
      """
      serial.semaphore {
        p: serial(width: 2, timeout: 13ms, on-failure: continue) { a: work 17ms with on: main; c: work 14ms }
        sleep 5ms
      }
      """, workers: 2, steps: ["p": 3, "p/c": 3]),
  ]

  @Test(arguments: cases)
  func `timers count from the request for their steps`(_ example: TimedCase) async throws {
    let outcome = try await example.analysed()
    let run = try #require(try outcome.records("run").first, "\(outcome.errors)")
    let analysis = try #require(try outcome.records("analysis").first)
    let slacks = zip(run.objects("steps"), analysis.objects("steps")).compactMap { step, analysed in
      step.string("path").map { ($0, analysed.integer("slack_ns")) }
    }
    let told = Dictionary(uniqueKeysWithValues: slacks)
    for (step, slack) in example.steps {
      #expect(told[step] == slack * 1_000_000, "\(step)")
    }
  }
}
