import Testing

/// How much later steps could have ended that timers cut off, and those before them.
@Suite struct TimedSlackTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let workers: Int
    /// Of some steps, in milliseconds.
    let slack: [String: Int]

    init(_ composition: String, workers: Int, slack: [String: Int]) {
      testDescription = composition
      self.workers = workers
      self.slack = slack
    }
  }

  private static let cases = [
    // a was asked for with p, and its timer was set then.
    Case(
      CutOffCompositions.askedForWithItsPattern, workers: 1, slack: ["s": 26, "p": 0]),
    // a goes on until 40 ms, that much later for a later s, and the run ends at 46.
    Case(
      """
      group {
        s: work 2ms with on: main
        p: serial(timeout: 23ms, on-failure: go-on) { a: work 38ms with on: main; b: sleep 50ms }
      }
      """, workers: 1, slack: ["s": 6, "p": 0]),
    // What was cut off in time had held the only worker before, and so the timer of t up.
    Case(
      """
      serial(width: 2, timeout: 13ms, on-failure: go-on) {
        s: sleep 3ms; t: serial { x: sleep 20ms with on: main }; p: serial { w: work 14ms }; y: sleep 4ms
      }
      """, workers: 1, slack: ["s": 0, "p/w": 0, "y": 0]),
    // d goes on when it is cut off, and z starts so much later for a later m; p waits for d no longer.
    Case(CutOffCompositions.besideOthers, workers: 2, slack: ["m": 0, "p": 7, "x/y": 17]),
    // p, which q waits for, does not end with d.
    Case(
      """
      group {
        m: work 10ms with on: main
        s: serial(on-failure: go-on) {
          p: serial(width: 2, timeout: 13ms, on-failure: go-on) {
            d: work 12ms with on: main; e: sleep 12ms; f: sleep 12ms
          }
          q: sleep 30ms
        }
      }
      """, workers: 2, slack: ["m": 32, "s/p": 0]),
    // The timer of t, which a holds up, calls b off, and that lets go of the worker that d waits for.
    Case(
      """
      all {
        a: work 31ms
        p: bounded(2) {
          any { work 13ms }; t: timeout(11ms, value: 1) { b: work 22ms }
          g: group { c: sleep 19ms; e: work 34ms; d: work 6ms; f: work 24ms }
          h: all { sleep 4ms with on: main; i: work 23ms; work 5ms with on: main }
        }
      }
      """, workers: 2, slack: ["a": 0]),
    Case(
      """
      serial(width: 2, timeout: 13ms, on-failure: go-on) {
        p: serial(timeout: 11ms, on-failure: go-on) { c: work 33ms; sleep 26ms }
        q: serial(timeout: 23ms, on-failure: go-on) { a: work 24ms; sleep 11ms }
        r: bounded.semaphore(2) { work 12ms; sleep 18ms with on: pool; sleep 22ms with on: main }; b: work 40ms
      }
      """, workers: 2, slack: ["q/a": 0]),
    // The timer of p is in time; what q is to do at last waits behind its own part.
    Case(
      """
      serial(width: 2, timeout: 13ms, on-failure: go-on) {
        a: work 12ms; sleep 22ms with on: main
        p: serial(timeout: 23ms, on-failure: go-on) { q: serial.semaphore { sleep 18ms with on: main } }
      }
      """, workers: 2, slack: ["a": 0]),
    // The timer of q finds a worker when a wakes the thread of q, which then waits for main behind c.
    Case(
      """
      bounded.semaphore(2) {
        p: serial(timeout: 23ms, on-failure: go-on) {
          q: serial.semaphore { a: sleep 27ms; b: work 28ms }; c: work 29ms with on: main
        }
        d: sleep 35ms; e: work 3ms with on: pool
      }
      """, workers: 2, slack: ["p/q/a": 0, "p/c": 0]),
    // p ends when its timer cuts d off, and e has its permit then; d keeps it from main.
    Case(
      """
      bounded.semaphore(2) {
        a: sleep 33ms with on: pool
        p: serial(width: 2, timeout: 13ms, on-failure: go-on) {
          b: sleep 5ms; c: work 10ms with on: main; d: work 30ms with on: main
        }
        e: work 24ms with on: main
      }
      """, workers: 2, slack: ["p/c": 0, "e": 0]),
    // Cut off with q, p keeps nobody waiting, though it tells of the failure that it saw.
    Case(
      CutOffCompositions.cutOffTogether, workers: 2, slack: ["q/x": 5, "r": 0]),
    // k holds main until 39 ms, where b is to tell that it was called off at 32 ms.
    Case(
      """
      race {
        g: bounded(2) {
          a: work 15ms; b: sleep 29ms with on: main; c: serial(timeout: 17ms) { d: sleep 13ms with on: main }
        }
        k: work 39ms with on: main
      }
      """, workers: 2, slack: ["g/a": 7, "g/c": 7, "k": 0]),
    // p ends with a, which went on when it was cut off at 12 ms, and not then.
    Case(
      """
      serial(width: 2, timeout: 13ms, on-failure: go-on) {
        p: serial(timeout: 11ms, on-failure: go-on) { a: work 20ms with on: main; b: sleep 5ms with on: main }
        w: work 12ms
      }
      """, workers: 1, slack: ["w": 8, "p": 0]),
    // g ends when d is cut off; c may be as long before.
    Case(
      """
      serial(on-failure: go-on) {
        g: serial(width: 2, timeout: 13ms, on-failure: go-on) {
          a: sleep 17ms with on: main; b: work 2ms; c: sleep 30ms with on: main; d: work 35ms with on: main
        }
        q: work 37ms with on: pool
      }
      """, workers: 2, slack: ["g/b": 11, "g": 0, "q": 0]),
    // What s is to do at last waits behind itself, and no longer for a later w.
    Case(
      "serial(timeout: 23ms, on-failure: go-on) { w: work 5ms; s: serial.semaphore { a: sleep 27ms } }",
      workers: 2, slack: ["w": 0]),
    // Its timer is late because of its own part f, and so may be asked for that much later.
    Case(
      """
      operations {
        t: timeout(33ms, value: 1) {
          a: work 7ms with on: main; p: serial(timeout: 17ms) { q: all { e: work 20ms; f: work 25ms } }
        }
        k: work 38ms with on: pool
      }
      """, workers: 1, slack: ["k": 0, "t/a": 31]),
    // c holds the timer of p up; the thread of all goes on when p has ended, and needs main, which a holds until 17 ms.
    Case(
      """
      serial.semaphore {
        p: serial(width: 2, timeout: 13ms, on-failure: go-on) { a: work 17ms with on: main; c: work 14ms }
        sleep 5ms
      }
      """, workers: 2, slack: ["p": 3, "p/c": 3]),
  ]

  @Test(arguments: cases)
  func timersCountFromWhenTheirStepsWereAskedFor(_ example: Case) async throws {
    let outcome = try await PlaygroundHome().run([
      "--json", "--clock", "virtual", "--workers", "\(example.workers)", "eval",
      "load SerialQueue Promises OperationGraph\n" + example.testDescription + "\ntrace analyse",
    ])
    let run = try #require(try outcome.records("run").first, "\(outcome.errors)")
    let analysis = try #require(try outcome.records("analysis").first)
    let slacks = zip(run.objects("steps"), analysis.objects("steps")).compactMap { step, analysed in
      step.string("path").map { ($0, analysed.integer("slack_ns")) }
    }
    let told = Dictionary(uniqueKeysWithValues: slacks)
    for (step, slack) in example.slack {
      #expect(told[step] == slack * 1_000_000, "\(step)")
    }
  }
}
