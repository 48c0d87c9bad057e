import AsyncPatterns
import Testing
import TimingTrace
import WhatIf

/// Compares a recorded composition with its simulation, which uses the recorded durations.
@Suite struct SimulationTests {
  @Test(arguments: [
    "sleep 20ms", "work 5ms", "page = block 3ms; page", "value 42", "serial { }",
    "job = [ fetch: sleep 20ms; parse: work 5ms; store: sleep 10ms ]; serial job",
    "together { page: 9 * work 10ms; slow: serial { sleep 20ms; block 7ms } }",
    "together { 6 * block 10ms; a: work 3ms with on: main; b: sleep 1ms with on: main; c: work 0ms }",
    "together { a: sleep 0ms; b: value 1; c: twice 5ms; d: serial { fail \"so\"; sleep 9ms } }",
    "first { a: sleep 5ms; b: sleep 9ms; c: work 30ms; d: never; e: serial { sleep 8ms } }",
    "first { a: sleep 5ms; b: sleep 5ms }", "first { b: sleep 5ms; a: work 5ms }",
    "serial.semaphore { a: sleep 5ms; b: work 5ms }",
    "job = [ a: work 2ms; again { x: fail \"no\" } ]; together { job; serial job }",
    "serial { 3 * together { 3 * serial { sleep 1ms; work 2ms } } }",
  ])
  func `an unchanged simulation equals the recording`(_ script: String) throws {
    for workers in [1, 2, 4] {
      let run = try Trial.recorded(script, workers: workers)
      let again = try Trial.simulated(run)
      #expect(again.record == run.record, "\(script), \(workers) workers")
      // With one worker a sleep is cancelled long after its time has passed.
      #expect(again.assumptions == [] || workers == 1)
    }
  }

  /// Any nesting of steps that take time, with enough workers for all of them.
  @Test(arguments: 0..<200)
  func `any recorded run is simulated exactly`(_ seed: Int) throws {
    var generator = Generator(state: UInt64(seed))
    let script = generator.pattern(depth: 3)
    let run = try Trial.recorded(script, workers: 64, seed: UInt64(seed % 3))
    #expect(try Trial.simulated(run).record == run.record, "\(script)")
  }
}

/// Makes nested compositions.
private struct Generator {
  var state: UInt64

  mutating func next(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }

  mutating func pattern(depth: Int) -> String {
    let name = ["serial", "together", "first", "serial.chain"][next(4)]
    let steps = (0...next(4)).map { _ in step(depth: depth) }
    return "\(name) { \(steps.joined(separator: "; ")) }"
  }

  private mutating func step(depth: Int) -> String {
    let count = next(4) == 0 ? "\(next(3) + 1) * " : ""
    if depth > 0, next(3) == 0 { return count + pattern(depth: depth - 1) }
    return count + ["sleep", "work", "block", "twice"][next(7) % 4] + " \(next(20))ms"
  }
}
