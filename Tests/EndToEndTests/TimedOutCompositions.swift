/// Compositions in which steps time out and that several tests use.
enum TimedOutCompositions {
  /// The timer of a is set together with that of p, and s holds the lane that a needs.
  static let askedForWithItsPattern = """
    group {
      s: work 2ms with on: main
      p: serial(timeout: 23ms, on-failure: go-on) { a: sleep 38ms with on: main; b: sleep 5ms }
    }
    """

  /// d times out at 13 ms, when nothing waits for its end, and holds main until 22 ms.
  static let besideOthers = """
    group {
      m: work 10ms with on: main
      p: serial(width: 2, timeout: 13ms, on-failure: go-on) {
        d: work 12ms with on: main; e: sleep 12ms; f: sleep 12ms
      }
      x: serial { y: sleep 5ms; z: work 9ms with on: main }
    }
    """

  /// p times out together with q, and reports the failure that it had before.
  static let timedOutTogether = """
    serial(timeout: 23ms, on-failure: go-on) {
      q: serial(timeout: 17ms) {
        x: work 6ms; p: serial(width: 2, timeout: 13ms, on-failure: go-on) {
          a: sleep 20ms; b: sleep 21ms; c: sleep 22ms
        }
      }
      r: sleep 1ms
    }
    """
}
