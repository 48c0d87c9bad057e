/// Compositions in which timers cut steps off, of which more than one thing is to be told.
enum CutOffCompositions {
  /// The timer of a is set with p, and s keeps a from its lane.
  static let askedForWithItsPattern = """
    group {
      s: work 2ms with on: main
      p: serial(timeout: 23ms, on-failure: go-on) { a: sleep 38ms with on: main; b: sleep 5ms }
    }
    """

  /// d is cut off at 13 ms, when nothing waits for that, and holds main until 22 ms.
  static let besideOthers = """
    group {
      m: work 10ms with on: main
      p: serial(width: 2, timeout: 13ms, on-failure: go-on) {
        d: work 12ms with on: main; e: sleep 12ms; f: sleep 12ms
      }
      x: serial { y: sleep 5ms; z: work 9ms with on: main }
    }
    """

  /// p is cut off with q, and tells of the failure that it saw before.
  static let cutOffTogether = """
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
