import Testing

/// The critical path of runs in which timers cut steps off.
@Suite struct CutOffPathTests {
  /// A composition, and the path that ends its run: each step with its time in milliseconds.
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let workers: Int
    let path: [String: Int]
    let order: [String]

    init(_ composition: String, workers: Int, path: KeyValuePairs<String, Int>) {
      testDescription = composition
      self.workers = workers
      order = path.map(\.key)
      self.path = Dictionary(uniqueKeysWithValues: path.map { ($0.key, $0.value) })
    }
  }

  private static let cases = [
    // a ends the run, whoever held up the timer that cut it off.
    Case(
      "group { w: work 20ms; p: serial(timeout: 5ms, on-failure: go-on) { a: work 30ms with on: main } }",
      workers: 1, path: ["p/a": 30]),
    Case(
      "serial(width: 2, timeout: 13ms, on-failure: go-on) { a: work 19ms with on: main; b: work 15ms }",
      workers: 1, path: ["a": 19]),
    // b tells of its end after p, which ended with it.
    Case(
      """
      serial(on-failure: go-on) {
        p: serial(timeout: 11ms, on-failure: go-on) { a: sleep 2ms; b: work 30ms }; q: sleep 5ms
      }
      """, workers: 2, path: ["p/a": 2, "p/b": 11, "q": 5]),
    Case(
      "serial(width: 2, timeout: 13ms, on-failure: go-on) { a: sleep 3ms; b: sleep 4ms; c: work 16ms }",
      workers: 2, path: ["a": 3, "c": 13]),
    // c got the place of a, which was cancelled when w had released the lane.
    Case(
      """
      serial {
        serial(width: 2, timeout: 13ms, on-failure: go-on) {
          a: serial { w: work 17ms; v: sleep 6ms with on: pool }; b: never; c: work 9ms
        }
      }
      """, workers: 1, path: ["serial/a/w": 17, "serial/a": 0, "serial/c": 9]),
    // Since p was cut off q started, and not the other way round.
    Case(
      "serial(timeout: 11ms, on-failure: go-on) { p: serial { a: work 13ms }; q: value 1 }",
      workers: 2, path: ["p": 11, "q": 0]),
    // The timer that cut s off, which never got the worker, was late because of k.
    Case(
      """
      all {
        k: work 25ms
        p: serial(timeout: 13ms, on-failure: go-on) { s: work 18ms with on: pool; x: work 5ms with on: pool }
      }
      """, workers: 1, path: ["k": 25, "p/x": 5]),
    // The first was cut off when its time was up, whatever held its end up afterwards.
    Case(
      """
      serial(timeout: 11ms, on-failure: go-on) {
        s: sleep 21ms with on: main; p: serial.semaphore { a: sleep 12ms with on: main; b: sleep 9ms }
      }
      """, workers: 2, path: ["s": 11, "p": 11]),
    // a was asked for with p, and its timer was set then, however long s kept it from its lane.
    Case(
      CutOffCompositions.askedForWithItsPattern, workers: 1, path: ["p/a": 23, "p/b": 5]),
    // p tells of the failure that it saw, and not that it was cut off with q then.
    Case(
      CutOffCompositions.cutOffTogether, workers: 2, path: ["q": 23, "r": 1]),
    // The timers found no worker until k ended; d, which nothing stops, went on and kept e from main.
    Case(
      """
      group {
        m: work 15ms with on: main
        p: serial(width: 2, timeout: 13ms, on-failure: go-on) {
          k: work 20ms; c: task { d: work 12ms with on: main }; e: work 26ms with on: main
        }
      }
      """, workers: 1, path: ["m": 15, "p/c/d": 12, "p/e": 26]),
    Case(CutOffCompositions.besideOthers, workers: 2, path: ["m": 10, "p/d": 12, "x/z": 9]),
    // What p is to do at last waits behind its own parts: the timer was in time.
    Case(
      """
      serial(timeout: 30ms, on-failure: go-on) {
        w: work 5ms; p: serial.semaphore { a: sleep 10ms; b: sleep 27ms }; z: sleep 2ms
      }
      """, workers: 2, path: ["w": 5, "p": 30, "z": 2]),
    // p ends when its timer cuts c off, and so does q, however long c goes on.
    Case(
      """
      serial(on-failure: go-on) {
        q: serial {
          p: serial(width: 2, timeout: 13ms, on-failure: go-on) {
            a: sleep 2ms; b: sleep 18ms; c: work 35ms with on: main
          }
        }
        z: work 40ms
      }
      """, workers: 2, path: ["q/p/a": 2, "q/p/c": 13, "z": 40]),
    // The timer of the whole found no worker until x, deep in p, ended.
    Case(
      """
      serial(timeout: 11ms, on-failure: go-on) {
        p: serial(width: 2, timeout: 13ms, on-failure: go-on) { q: serial { x: work 33ms; y: sleep 9ms } }
        z: work 27ms
      }
      """, workers: 1, path: ["p/q/x": 33, "p": 0, "z": 27]),
    // The timer that cancels p goes off late, behind z, and ends the run.
    Case(
      """
      serial(width: 2, timeout: 13ms, on-failure: go-on) {
        x: work 15ms; y: serial.semaphore { m: work 26ms with on: main }
        p: serial.semaphore { a: sleep 27ms; b: sleep 6ms with on: main }; z: work 7ms
      }
      """, workers: 2, path: ["y/m": 26, "z": 7, "p": 0]),
  ]

  @Test(arguments: cases)
  func thePathLeadsFromEndToStart(_ example: Case) async throws {
    let outcome = try await PlaygroundHome().run([
      "--json", "--clock", "virtual", "--workers", "\(example.workers)", "eval",
      "load SerialQueue Promises OperationGraph\n" + example.testDescription + "\ntrace analyse",
    ])
    let analysis = try #require(try outcome.records("analysis").first)
    let path = analysis.objects("critical_path")
    #expect(path.map { $0.string("step") } == example.order)
    #expect(
      path.map { $0.integer("time_ns") }
        == example.order.map { (example.path[$0] ?? 0) * 1_000_000 })
    #expect(analysis.integer("lead_ns") == 0)
    #expect(analysis.integer("tail_ns") == 0)
  }
}
