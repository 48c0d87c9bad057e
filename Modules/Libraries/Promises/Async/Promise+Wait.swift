import AsyncRuntime

extension Promise {
  /// Blocks the calling thread until the promise is settled, and yields the value. A way for tests and
  /// programs that end; everything else has `then` and `await`.
  ///
  /// What waits for the code on the thread's stack to return runs first. On a worker of the pool it
  /// takes that worker: if all of them wait, who is to run the handlers?
  ///
  /// - Throws: the error that the promise fails with, or `WaitRefused` where waiting could never end: on the
  ///   scheduler that the handlers of the promise's chain are to run on, for a promise that will never
  ///   be settled, and in a handler for a promise that is its own, or comes of one that the same thread has
  ///   yet to tell, directly or by way of links. What several are gathered in it does not look into, nor what
  ///   another thread waits for: two handlers that wait for each other's promise wait for ever.
  public func wait() throws -> Success {
    storage.beginIfLazy()
    if let current { return try current.get() }
    try refuseDeadlock()
    let semaphore = context.runtime.semaphore(0)
    listen(for: WaitingThread(semaphore))
    semaphore.wait()
    guard let current else { throw WaitRefused("it was let go of", storage.site) }
    return try current.get()
  }

  /// Holds `thread` until the promise is settled, or nobody will hear of it any more.
  private func listen(for thread: WaitingThread) {
    whenComplete(on: .inline) { _ in withExtendedLifetime(thread) {} }
  }

  private func refuseDeadlock() throws(WaitRefused) {
    let lane = LaneContext.current
    if storage.isGone { throw WaitRefused("it will never be settled", storage.site) }
    if TellingRound.holdsUp(storage, in: lane) {
      throw WaitRefused(
        "the handler that waits would have to return first; return the promise from then, or await it",
        storage.site)
    }
    let isMain = if case .main = context.placement { context.runtime.isOnMain(lane) } else { false }
    if isMain || context.isSerialAt(lane.chains.pointee.job) {
      throw WaitRefused(
        "its handlers run on the scheduler that would be blocked; wait elsewhere, or use then or await",
        storage.site)
    }
  }

  /// Turns something, such as a run loop or a virtual clock, until the promise is settled; for tests.
  ///
  /// ```swift
  /// let pages = try promise.hang { runtime.runUntilIdle() }
  /// ```
  ///
  /// - Parameters:
  ///   - turns: how often at most.
  ///   - turn: lets go on what the promise waits for.
  /// - Throws: the error that the promise fails with, or `WaitRefused` if all those turns did not settle it.
  public func hang(turns: Int = 1000, _ turn: () throws -> Void) throws -> Success {
    storage.beginIfLazy()
    for _ in 0..<max(turns, 0) {
      if let current { return try current.get() }
      try turn()
    }
    guard let current else {
      throw WaitRefused("it is not settled after \(turns) turns", storage.site)
    }
    return try current.get()
  }
}

extension Runtime {
  /// Whether who runs on `lane` keeps the main scheduler from everything else.
  fileprivate func isOnMain(_ lane: LaneContext) -> Bool {
    lane.lane == .main || clockKind == .live && main.isCurrent
  }
}

/// A thread that goes on when nobody holds this any more: also if the promise that it waits for is let go of.
private final class WaitingThread: Sendable {
  private let semaphore: any BlockingSemaphore

  init(_ semaphore: any BlockingSemaphore) { self.semaphore = semaphore }

  deinit { semaphore.signal() }
}

/// Waiting for a promise would never have ended.
public struct WaitRefused: Error, CustomStringConvertible {
  /// Where the promise was made, as “file:line”.
  public let site: String
  let reason: String

  init(_ reason: String, _ site: Site) {
    self.reason = reason
    self.site = site.description
  }

  public var description: String { "cannot wait for the promise made at \(site): \(reason)" }
}
