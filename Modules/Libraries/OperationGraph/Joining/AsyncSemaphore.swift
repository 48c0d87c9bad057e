public import AsyncRuntime

/// A counting semaphore that suspends its waiters and blocks no thread.
///
/// ```swift
/// let downloads = AsyncSemaphore("downloads", permits: 4)
/// let page = try await downloads.withPermit { try await fetch(url) }
/// ```
///
/// - A permit that is given back goes to the waiter with the highest priority. At equal priority,
///   it goes to the one that has waited longest. The permit is handed over directly, so a later
///   caller cannot take it first. Waiters are notified on the thread that gives the permit back.
/// - If the priority of a waiting task is raised, the task moves up. Its new position is the one that it would have if
///   it had arrived with that priority.
/// - A task that is cancelled while it waits stops waiting immediately. It has taken no permit, and no permit is lost.
///   A task that was cancelled before the call takes no permit, even if one is free.
/// - No thread is blocked, and no closure runs under a lock. Each waiter takes a few words of memory, even if there are
///   a million.
///
/// **Starvation.** By priority alone, a waiter with a low priority waits as long as waiters with a
/// higher priority keep arriving. This is acceptable only if work of low priority can wait. If it
/// cannot, set a limit with `maxBypasses`. At most that many permits in a row bypass the waiter
/// that has waited longest. That waiter then gets the next permit. With 0 the order is first come,
/// first served, whatever the priorities.
///
/// Unlike a lock, a permit has no owner: any thread may give it back. So the semaphore cannot raise the priority of a
/// holder on behalf of the waiters.
public final class AsyncSemaphore: Sendable {
  let storage: AsyncSemaphoreStorage

  /// - Parameters:
  ///   - label: the name of the semaphore in reports.
  ///   - permits: the initial number of permits; below zero counts as none.
  ///   - maxBypasses: the number of permits in a row that may bypass the longest waiter, in favour
  ///     of waiters with a higher priority. Nil is no limit; below zero counts as zero.
  ///   - runtime: the source of threads. Its trace records which span gave a permit to which other
  ///     span. On the live clock, a task that belongs to no step, item or operation has no span, so
  ///     its permits are not recorded.
  public init(
    _ label: String = "", permits: Int, maxBypasses: Int? = nil,
    runtime: any Runtime = LiveRuntime.shared
  ) {
    storage = AsyncSemaphoreStorage(
      label: label, permits: permits, maxBypasses: maxBypasses, runtime: runtime)
  }

  /// The number of free permits. Another thread may change it immediately.
  public var permits: Int { storage.permits }

  /// The number of waiters for a permit. Another thread may change it immediately.
  public var waitingCount: Int { storage.waitingCount }

  /// Takes a permit if one is free.
  ///
  /// - Returns: whether it took a permit.
  public func tryWait() -> Bool { storage.take() }

  /// Takes a permit, and suspends while none is free. Give it back with `signal()`.
  ///
  /// - Parameter priority: a higher priority goes first. Unless given, it is the priority of the task, and rises with
  ///   it.
  /// - Throws: `CancellationError` as soon as the task is cancelled; the task then has no permit.
  /// - Complexity: O(1), plus O(different priorities among the waiters).
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

  /// Gives a permit back, or adds one. It never suspends.
  public func signal() { storage.signal() }

  /// Holds a permit while `work` runs, and gives it back however `work` ends.
  ///
  /// - Parameter priority: see `wait(priority:)`.
  /// - Returns: the result of `work`.
  /// - Throws: any error that `work` throws; `CancellationError` if the task was cancelled before it had a permit, and
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
