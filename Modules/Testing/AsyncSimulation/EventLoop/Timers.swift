import AsyncPatterns
internal import DequeModule
internal import HeapModule
import SwiftTasks

/// The alarms for later instants, ordered by deadline, then by the order of the requests.
struct Timers: ~Copyable {
  enum Alarm: ~Copyable {
    case timer(Timer)
    case occupation(Occupation)
    case blocked(BlockedThread)
    case sleep(Sleep)
    case blocking(SimulatedBlocking)

    var isOff: Bool {
      switch self {
      case .timer(let timer): timer.job == nil
      case .occupation(let occupation): occupation.phase != .occupying
      case .blocked(let thread): thread.hasEnded
      case .sleep(let sleep): sleep.job.isCancelledSleep
      case .blocking(let blocking): blocking.hasEnded
      }
    }
  }

  /// It contains no reference, since the heap moves it often.
  private struct Entry: Comparable {
    let deadline: Int64
    let sequence: UInt64
    let slot: Int

    static func < (left: Entry, right: Entry) -> Bool {
      left.deadline == right.deadline
        ? left.sequence < right.sequence : left.deadline < right.deadline
    }
    static func == (left: Entry, right: Entry) -> Bool { left.sequence == right.sequence }
  }

  /// The alarm that an entry refers to.
  // Not private: otherwise this compiler crashes in a debug build, in another file that releases the slots.
  struct Slot: ~Copyable {
    var alarm: Alarm?
    var chain: UInt32
    /// The next free slot, if this slot is free.
    var nextFree = -1

    var isOff: Bool {
      switch alarm {
      case .some(let alarm): alarm.isOff
      case nil: true
      }
    }
  }

  private var heap: Heap<Entry> = []
  /// Accesses to its elements copy no references.
  private var slots = UniqueDeque<Slot>()
  private var firstFree = -1
  /// How many entries have been cancelled and are still in the heap, without those of sleeps.
  private var offCount = 0
  private var nextSequence: UInt64 = 0
  /// The jobs of sleeps that were cancelled. They are taken out and must still run, since they free memory.
  private var cancelledSleeps: [SwiftJob] = []

  /// How many alarms are pending.
  var count: Int { heap.count - offCount }

  /// - Parameter chain: the chain of jobs that the alarm continues.
  /// - Complexity: O(log *n*)
  mutating func add(_ alarm: consuming Alarm, at deadline: Instant, chain: UInt32) {
    nextSequence += 1
    let slot: Int
    if firstFree >= 0 {
      slot = firstFree
      firstFree = slots[slot].nextFree
      slots[slot] = Slot(alarm: alarm, chain: chain)
    } else {
      slot = slots.count
      slots.append(Slot(alarm: alarm, chain: chain))
    }
    heap.insert(Entry(deadline: deadline.nanoseconds, sequence: nextSequence, slot: slot))
  }

  /// Notes that a pending alarm was cancelled.
  ///
  /// - Complexity: amortized O(1).
  mutating func didCancel() {
    offCount += 1
    guard offCount > 64, offCount > heap.count / 2 else { return }
    let kept = heap.unordered.filter { entry in
      let isOff = slots[entry.slot].isOff
      if isOff { discard(take(entry.slot)) }
      return !isOff
    }
    heap = Heap(kept)
    offCount = 0
  }

  /// Calls `body` with the first pending alarms, ordered by deadline, then by the order of the requests.
  ///
  /// - Complexity: O(*n* log *n*).
  func map<Result>(first limit: Int, _ body: (Instant, borrowing Alarm) -> Result) -> [Result] {
    let entries = heap.unordered.filter { !slots[$0.slot].isOff }.sorted()
    return entries.prefix(limit).compactMap { entry in
      switch slots[entry.slot].alarm {
      case .some(let alarm): body(Instant(nanoseconds: entry.deadline), alarm)
      case nil: nil
      }
    }
  }

  /// Takes out the alarm of a slot, which is then free.
  private mutating func take(_ slot: Int) -> Alarm? {
    slots[slot].nextFree = firstFree
    firstFree = slot
    return slots[slot].alarm.take()
  }

  /// Removes everything, but keeps the memory for another simulation.
  mutating func removeAll() {
    if !heap.isEmpty { heap = [] }
    for slot in slots.indices {
      switch slots[slot].alarm {
      case .occupation(let occupation)?: occupation.disown()
      case .timer(let timer)?: QueuedJob.timer(timer).forget()
      default: break
      }
    }
    slots.removeAll()
    (firstFree, offCount, nextSequence) = (-1, 0, 0)
  }

  /// The deadline of the next alarm.
  mutating func nextDeadline() -> Instant? {
    while let first = heap.min {
      guard slots[first.slot].isOff else {
        return Instant(nanoseconds: first.deadline)
      }
      heap.removeMin()
      discard(take(first.slot))
    }
    return nil
  }

  /// Whether an alarm is due at `deadline`, which no alarm precedes.
  mutating func hasAlarm(at deadline: Instant) -> Bool {
    isFirst(deadline) && nextDeadline() == deadline
  }

  private func isFirst(_ deadline: Instant) -> Bool { heap.min?.deadline == deadline.nanoseconds }

  /// - Parameter alarm: a cancelled alarm that was taken out.
  private mutating func discard(_ alarm: consuming Alarm?) {
    if case .sleep(let sleep)? = alarm {
      cancelledSleeps.append(sleep.job)
    } else {
      offCount -= 1
    }
  }

  var hasCancelledSleeps: Bool { !cancelledSleeps.isEmpty }

  /// Takes out the jobs of the cancelled sleeps.
  mutating func takeCancelledSleeps() -> [SwiftJob] {
    defer { cancelledSleeps = [] }
    return cancelledSleeps
  }

  /// An alarm whose time has come.
  struct Due: ~Copyable {
    let alarm: Alarm
    /// The chain of jobs that the alarm continues.
    let chain: UInt32
  }

  /// Takes out the next alarm, if its deadline is `deadline`.
  mutating func popNext(at deadline: Instant) -> Due? {
    while isFirst(deadline) {
      let slot = heap.removeMin().slot
      let chain = slots[slot].chain
      guard let alarm = take(slot) else { continue }
      guard alarm.isOff else { return Due(alarm: alarm, chain: chain) }
      discard(alarm)
    }
    return nil
  }
}

/// A job for later, until it runs or is cancelled.
final class Timer: Cancellable, @unchecked Sendable {
  // Safe to share: only the holder of the baton touches `job` and `isReady`.
  private let loop: EventLoop
  let target: Target
  @exclusivity(unchecked) var job: Job?
  /// Whether its time has come, so that it is in a queue and no longer among the timers.
  @exclusivity(unchecked) var isReady = false

  init(_ job: Job, for target: Target, of loop: EventLoop) {
    self.job = job
    self.target = target
    self.loop = loop
  }

  func cancel() {
    if loop.isCarriedByCaller { loop.cancel(self) } else { loop.inbox.post { $0.cancel(self) } }
  }
}
