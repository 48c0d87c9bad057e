import AsyncPatterns
internal import HeapModule

/// What is to happen at an instant: by deadline, and of one deadline in the order it was asked for.
struct Timers {
  enum Alarm {
    case timer(Timer)
    case occupation(Occupation)
    case parked(ParkedThread)

    var isOff: Bool {
      switch self {
      case .timer(let timer): timer.job == nil
      case .occupation(let occupation): occupation.phase != .occupying
      case .parked: false
      }
    }
  }

  private struct Entry: Comparable {
    let deadline: Instant
    let sequence: UInt64
    let alarm: Alarm

    static func < (left: Entry, right: Entry) -> Bool {
      left.deadline == right.deadline
        ? left.sequence < right.sequence : left.deadline < right.deadline
    }
    static func == (left: Entry, right: Entry) -> Bool { left.sequence == right.sequence }
  }

  private var heap: Heap<Entry> = []
  /// How many entries have been called off and are still in the heap.
  private var offCount = 0
  private var nextSequence: UInt64 = 0

  /// How many are to go off.
  var count: Int { heap.count - offCount }

  /// - Complexity: O(log *n*)
  mutating func add(_ alarm: Alarm, at deadline: Instant) {
    nextSequence += 1
    heap.insert(Entry(deadline: deadline, sequence: nextSequence, alarm: alarm))
  }

  /// Notes that one that is in here has been called off.
  ///
  /// - Complexity: O(1), averaged over many.
  mutating func didCallOff() {
    offCount += 1
    guard offCount > 64, offCount > heap.count / 2 else { return }
    heap.removeAll { $0.alarm.isOff }
    offCount = 0
  }

  /// When the next one goes off.
  mutating func nextDeadline() -> Instant? {
    while let first = heap.min {
      guard first.alarm.isOff else { return first.deadline }
      heap.removeMin()
      offCount -= 1
    }
    return nil
  }

  /// Takes out the next one if it goes off at `deadline`.
  mutating func popNext(at deadline: Instant) -> Alarm? {
    guard nextDeadline() == deadline else { return nil }
    return heap.removeMin().alarm
  }
}

/// A job for later, until it runs or is called off.
final class Timer: Cancellable, @unchecked Sendable {
  // Safe to share: `job` and `isReady` are touched by the event loop and whoever holds its baton only.
  private let loop: EventLoop
  let target: Target
  var job: Job?
  /// Whether its time has come, so that it stands in a queue and no longer among the timers.
  var isReady = false

  init(_ job: Job, for target: Target, of loop: EventLoop) {
    self.job = job
    self.target = target
    self.loop = loop
  }

  func cancel() { loop.perform { $0.callOff(self) } }
}
