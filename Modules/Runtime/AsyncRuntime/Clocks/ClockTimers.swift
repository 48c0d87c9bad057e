internal import HeapModule

/// The timers of a clock. While there are any, one task sleeps on the clock until the earliest deadline.
///
/// Deadlines are exact durations since the timers were made, so no timer fires early because of rounding.
final class ClockTimers: Sendable {
  typealias Action = @Sendable () -> Void

  /// The clock may be unable to count a longer delay.
  private static let longestDelay = Duration.seconds(200 * 365 * 86_400)

  private let elapsed: @Sendable () -> Duration
  private let sleep: @Sendable (Duration) async throws -> Void
  private let state = Locked(State())

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }

  var now: Instant { Instant(nanoseconds: elapsed().wholeNanoseconds) }

  /// Calls `action` once the clock has reached the deadline. Actions whose deadlines have passed
  /// are called in the order of their deadlines. Actions with the same deadline are called in the
  /// order in which they were scheduled.
  ///
  /// - Complexity: O(log *n*) for *n* timers.
  func schedule(after delay: Duration, _ action: @escaping Action) -> any Cancellable {
    let deadline = elapsed() + min(max(delay, .zero), Self.longestDelay)
    let (number, change) = state.withLock { $0.add(deadline, action) }
    if let change { perform(change) }
    return ClockTimer(number, of: self)
  }

  fileprivate func cancel(_ number: UInt64) {
    let (action, ended) = state.withLock { $0.remove(number) }
    ended?.cancel()
    // This releases the action outside the lock.
    withExtendedLifetime(action) {}
  }

  private func perform(_ change: TaskChange) {
    change.ended?.cancel()
    let number = change.begun
    let task = Task.detached(priority: .high) { await self.run(number) }
    if !state.withLock({ $0.keep(task, number) }) { task.cancel() }
  }

  /// The body of the task with this number.
  private func run(_ number: UInt64) async {
    while let deadline = state.withLock({ $0.nextDeadline(for: number) }) {
      do {
        try await sleep(deadline)
      } catch {
        // Either this task is no longer in charge, or the clock refuses to sleep. In the second
        // case, the next timer tries again.
        return state.withLock { $0.end(number) }
      }
      while let action = nextDue(for: number) { action() }
    }
  }

  private func nextDue(for number: UInt64) -> Action? {
    let now = elapsed()
    return state.withLock { $0.takeDue(at: now, for: number) }
  }
}

private final class ClockTimer: Cancellable {
  private let number: UInt64
  private let timers: ClockTimers

  init(_ number: UInt64, of timers: ClockTimers) {
    self.number = number
    self.timers = timers
  }

  func cancel() { timers.cancel(number) }
}

/// What must be done after the lock is released.
private struct TaskChange: Sendable {
  /// The task to cancel.
  var ended: Task<Void, Never>?
  /// The number of the task to start.
  var begun: UInt64
}

private struct State: Sendable {
  private struct Entry: Comparable, Sendable {
    let deadline: Duration
    let number: UInt64

    static func < (left: Entry, right: Entry) -> Bool {
      (left.deadline, left.number) < (right.deadline, right.number)
    }
  }

  private enum Sleep: Sendable {
    case none
    case until(Duration)
    /// The task calls the actions that are due.
    case interrupted
  }

  private var entries: Heap<Entry> = []
  /// The actions, by the number of the timer. The entry of a cancelled timer has no action.
  private var actions: [UInt64: ClockTimers.Action] = [:]
  private var timerCount: UInt64 = 0
  private var sleep = Sleep.none
  /// The number of the task in charge. All earlier ones end as soon as they can.
  private var taskCount: UInt64 = 0
  private var task: Task<Void, Never>?

  mutating func add(
    _ deadline: Duration, _ action: @escaping ClockTimers.Action
  ) -> (number: UInt64, change: TaskChange?) {
    timerCount += 1
    entries.insert(Entry(deadline: deadline, number: timerCount))
    actions[timerCount] = action
    switch sleep {
    case .interrupted: return (timerCount, nil)
    case .until(let earliest) where earliest <= deadline: return (timerCount, nil)
    case .none, .until:
      let ended = retireTask()
      sleep = .until(deadline)
      return (timerCount, TaskChange(ended: ended, begun: taskCount))
    }
  }

  /// - Returns: the action to release, and the task to cancel because no timer is left.
  mutating func remove(_ number: UInt64) -> (action: ClockTimers.Action?, Task<Void, Never>?) {
    guard let action = actions.removeValue(forKey: number) else { return (nil, nil) }
    // The entries of cancelled timers are removed before there are many.
    if entries.count > 2 * actions.count + 16 {
      entries = Heap(entries.unordered.filter { actions[$0.number] != nil })
    }
    guard actions.isEmpty, case .until = sleep else { return (action, nil) }
    return (action, retireTask())
  }

  /// Leaves no task in charge.
  private mutating func retireTask() -> Task<Void, Never>? {
    defer { task = nil }
    sleep = .none
    taskCount += 1
    return task
  }

  /// - Returns: false if the task must end.
  mutating func keep(_ task: Task<Void, Never>, _ number: UInt64) -> Bool {
    if case .none = sleep { return false }
    guard number == taskCount else { return false }
    self.task = task
    return true
  }

  mutating func end(_ number: UInt64) {
    if number == taskCount { _ = retireTask() }
  }

  /// - Returns: nil if the task must end.
  mutating func nextDeadline(for number: UInt64) -> Duration? {
    guard number == taskCount else { return nil }
    guard let first = firstEntry() else {
      _ = retireTask()
      return nil
    }
    sleep = .until(first.deadline)
    return first.deadline
  }

  mutating func takeDue(at now: Duration, for number: UInt64) -> ClockTimers.Action? {
    guard number == taskCount else { return nil }
    sleep = .interrupted
    guard let first = firstEntry(), first.deadline <= now else { return nil }
    entries.removeMin()
    return actions.removeValue(forKey: first.number)
  }

  /// Returns the entry of the earliest timer, after removing the entries of cancelled timers before
  /// it.
  private mutating func firstEntry() -> Entry? {
    while let first = entries.min {
      if actions[first.number] != nil { return first }
      entries.removeMin()
    }
    return nil
  }
}
