import AsyncRuntime

extension Promise {
  /// Blocks the calling thread until the promise is settled, and returns the value. Use this in tests, and in programs
  /// that run once and exit. All other code should use `then` or `await`.
  ///
  /// The call first runs the work that waits for the code on the thread's stack to return. On a worker thread of the
  /// pool, the call blocks that worker. If all workers are blocked, none is left to run the handlers. On a pool with one
  /// worker, the call is refused in a handler of a promise. In any other job there it waits forever.
  ///
  /// - Throws: the error of the promise, or `WaitRefused` if the wait could never end. It could
  ///   never end in these cases:
  ///   - The promise is never settled.
  ///   - The call is made on the scheduler where the handlers of the promise's chain run.
  ///   - A handler waits for its own promise.
  ///   - The promise depends, directly or through links, on a handler that this thread has yet to call.
  ///
  ///   The check does not look into promises that gather several others, nor at other threads. So
  ///   two handlers that wait for each other's promise wait forever.
  public func wait() throws -> Success {
    storage.beginIfLazy()
    if let current { return try current.get() }
    try refuseDeadlock()
    let semaphore = context.runtime.semaphore(0)
    listen(for: WaitingThread(semaphore))
    semaphore.wait()
    guard let current else {
      throw WaitRefused("it was released unsettled; resolve it on every path", storage.site)
    }
    return try current.get()
  }

  /// Keeps `thread` alive until the promise is settled or releases its handlers. Releasing `thread`
  /// resumes it.
  private func listen(for thread: WaitingThread) {
    whenComplete(on: .inline) { _ in withExtendedLifetime(thread) {} }
  }

  private func refuseDeadlock() throws(WaitRefused) {
    let lane = LaneContext.current
    if storage.isGone {
      throw WaitRefused("it will never be settled; resolve it on every path", storage.site)
    }
    if NotificationRound.holdsUp(storage, in: lane) {
      throw WaitRefused(
        "the handler that waits would have to return first; return the promise from “then”, or await it",
        storage.site)
    }
    let isMain = context.place == .main && context.runtime.isOnMain(lane)
    if isMain || context.isSerialAt(lane.chains.pointee.job) || context.isPlaced(at: lane.scheduler)
    {
      throw WaitRefused(
        "its handlers run on the scheduler that would be blocked; wait elsewhere, or use “then” or await",
        storage.site)
    }
  }

  /// Calls `turn` again and again until the promise is settled; for tests. `turn` runs, for example, a run loop or a
  /// virtual clock.
  ///
  /// ```swift
  /// let pages = try promise.wait { runtime.runUntilIdle() }
  /// ```
  ///
  /// - Parameters:
  ///   - turns: the largest number of calls.
  ///   - turn: makes progress with the work for which the promise waits.
  /// - Throws: the error that the promise fails with, or an error of `turn`. Throws `WaitRefused` if the promise is not
  ///   settled after `turns` calls.
  public func wait(
    turns: Int = 1000, whileAdvancing turn: () throws -> Void
  ) throws -> Success {
    storage.beginIfLazy()
    for _ in 0..<max(turns, 0) {
      if let current { return try current.get() }
      try turn()
    }
    guard let current else {
      throw WaitRefused("it was not settled after \(turns) turns; allow more turns", storage.site)
    }
    return try current.get()
  }
}

extension Runtime {
  /// Whether the code that runs on `lane` occupies the main scheduler, so that nothing else can run there.
  fileprivate func isOnMain(_ lane: LaneContext) -> Bool {
    lane.lane == .main || clockKind == .live && main.isCurrent
  }
}

/// A blocked thread. It resumes when this object is released, even if the promise is released
/// unsettled.
private final class WaitingThread: Sendable {
  private let semaphore: any BlockingSemaphore

  init(_ semaphore: any BlockingSemaphore) { self.semaphore = semaphore }

  deinit { semaphore.signal() }
}

/// The error if waiting for a promise would never end.
public struct WaitRefused: Error, CustomStringConvertible {
  /// The place where the promise was made, as “file:line”.
  public let site: String
  let reason: String

  init(_ reason: String, _ site: Site) {
    self.reason = reason
    self.site = site.description
  }

  public var description: String { "cannot wait for the promise made at \(site): \(reason)" }
}
