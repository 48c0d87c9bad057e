public import AsyncRuntime

/// A counting semaphore that suspends whoever waits, and blocks no thread.
///
/// ```swift
/// let downloads = AsyncSemaphore("downloads", permits: 4)
/// let page = try await downloads.withPermit { try await fetch(url) }
/// ```
///
/// - A permit that is given back goes to whoever waits with the highest priority, and of those to the one who has
///   waited the longest; it is handed over, so nobody who comes later can snatch it. Waiters are told on the
///   thread that gives it back.
/// - A waiting task whose priority is raised while it waits moves up, to where it would be had it come with
///   that priority.
/// - A task that is cancelled while it waits gives up at once: it has taken no permit, and loses none. One that
///   was cancelled before takes none, even if one is free.
/// - No thread waits, and no closure runs under a lock. A million who wait are a few words each.
///
/// **Starvation.** By priority alone, somebody of a low one waits as long as others of a higher one keep
/// coming. That is what priorities mean, and what is right where those of low priority can wait. Where they
/// cannot, `overtakings` bounds it: so many permits in a row at most go past the one who has waited the longest,
/// and the next one is theirs. With 0 it is first come, first served, whatever the priorities.
///
/// Unlike a lock a permit belongs to nobody: any thread may give it back, so nobody's priority can be raised
/// for the sake of those who wait.
public final class AsyncSemaphore: Sendable {
  let storage: AsyncSemaphoreStorage

  /// - Parameters:
  ///   - label: what reports call it.
  ///   - permits: how many there are to begin with; below zero counts as none.
  ///   - overtakings: how many permits in a row may go past the one who has waited the longest, to others of
  ///     a higher priority; as many as come unless given, and below zero counts as none.
  ///   - runtime: where threads come from, and whose trace is told who had a permit from whom.
  public init(
    _ label: String = "", permits: Int, overtakings: Int? = nil,
    runtime: any Runtime = LiveRuntime.shared
  ) {
    storage = AsyncSemaphoreStorage(
      label: label, permits: permits, overtakings: overtakings, runtime: runtime)
  }

  /// How many permits are free. Another thread may change it at once.
  public var permits: Int { storage.permits }

  /// How many wait for a permit. Another thread may change it at once.
  public var waitingCount: Int { storage.waitingCount }

  /// Takes a permit if one is free.
  ///
  /// - Returns: whether it has one now.
  public func tryWait() -> Bool { storage.take() }

  /// Takes a permit; suspends while there is none. Give it back with `signal()`.
  ///
  /// - Parameter priority: goes before lower ones; the task's unless given, and then raised with it.
  /// - Throws: `CancellationError` as soon as the task is cancelled; it has no permit then.
  /// - Complexity: O(1), and O(priorities that are waited with).
  public func wait(priority: TaskPriority? = nil) async throws {
    try Task.checkCancellation()
    let storage = storage
    guard let place = storage.wait(priority: priority ?? Task.currentPriority) else { return }
    guard priority == nil, #available(macOS 26, *) else { return try await storage.turn(at: place) }
    try await withTaskPriorityEscalationHandler {
      try await storage.turn(at: place)
    } onPriorityEscalated: { _, raised in
      storage.move(place, to: raised)
    }
  }

  /// Gives a permit: back, or one more than there were. It never suspends.
  public func signal() { storage.signal() }

  /// Holds a permit while `work` runs, however that ends.
  ///
  /// - Parameter priority: as of `wait(priority:)`.
  /// - Returns: what `work` returns.
  /// - Throws: what `work` throws, or `CancellationError` if the task was cancelled before there was a permit:
  ///   then `work` has not run.
  public func withPermit<Success>(
    priority: TaskPriority? = nil, isolation: isolated (any Actor)? = #isolation,
    _ work: () async throws -> Success
  ) async throws -> Success {
    try await wait(priority: priority)
    defer { signal() }
    return try await work()
  }
}
