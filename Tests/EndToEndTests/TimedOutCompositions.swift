import Testing

/// Compositions in which steps time out and that several tests use.
enum TimedOutCompositions {
  /// The timer of a is set together with that of p, and s holds the lane that a needs.
  static let askedForWithItsPattern = """
    group {
      s: work 2ms with on: main
      p: serial(timeout: 23ms, on-failure: continue) { a: sleep 38ms with on: main; b: sleep 5ms }
    }
    """

  /// d times out at 13 ms, when nothing waits for its end, and holds main until 22 ms.
  static let besideOthers = """
    group {
      m: work 10ms with on: main
      p: serial(width: 2, timeout: 13ms, on-failure: continue) {
        d: work 12ms with on: main; e: sleep 12ms; f: sleep 12ms
      }
      x: serial { y: sleep 5ms; z: work 9ms with on: main }
    }
    """

  /// p times out together with q, and reports the failure that it had before.
  static let timedOutTogether = """
    serial(timeout: 23ms, on-failure: continue) {
      q: serial(timeout: 17ms) {
        x: work 6ms; p: serial(width: 2, timeout: 13ms, on-failure: continue) {
          a: sleep 20ms; b: sleep 21ms; c: sleep 22ms
        }
      }
      r: sleep 1ms
    }
    """

  /// Runs a script on the virtual clock, with all patterns of compositions loaded.
  static func run(_ script: String, workers: Int) async throws -> PlaygroundProcess.Outcome {
    try await PlaygroundHome().records(
      "load SerialQueue Promises OperationGraph\n" + script, "--workers", "\(workers)")
  }
}

/// A composition, and a time in milliseconds for some of its steps: on the critical path, or its slack.
struct TimedCase: CustomTestStringConvertible {
  let testDescription: String
  let workers: Int
  let steps: KeyValuePairs<String, Int>

  init(_ composition: String, workers: Int, steps: KeyValuePairs<String, Int>) {
    (testDescription, self.workers, self.steps) = (composition, workers, steps)
  }

  func analysed() async throws -> PlaygroundProcess.Outcome {
    try await TimedOutCompositions.run(testDescription + "\ntrace analyse", workers: workers)
  }
}
