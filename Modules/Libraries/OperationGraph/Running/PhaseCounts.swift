/// The number of operations in each phase.
struct PhaseCounts: Sendable {
  var waiting = 0
  var asking = 0
  var ready = 0
  var starting = 0
  var running = 0
  var delayed = 0
  var succeeded = 0
  var failed = 0
  var cancelled = 0
  var skipped = 0

  var unfinished: Int { waiting + ready + activity }
  /// The number of unfinished operations that will change phase without any other event.
  var activity: Int { asking + starting + running + delayed }
  /// Whether operations wait, and none will change phase without another event.
  var isAtRest: Bool { waiting > 0 && ready + activity == 0 }

  mutating func add(_ number: Int, to phase: OperationPhase) {
    switch phase {
    case .waiting: waiting += number
    case .asking: asking += number
    case .ready: ready += number
    case .starting: starting += number
    case .running: running += number
    case .delayed: delayed += number
    case .ended(.succeeded): succeeded += number
    case .ended(.failed): failed += number
    case .ended(.cancelled): cancelled += number
    case .ended(.skipped): skipped += number
    }
  }
}
