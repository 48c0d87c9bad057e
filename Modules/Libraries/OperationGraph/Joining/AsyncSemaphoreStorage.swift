internal import AsyncRuntime

/// A semaphore behind its lock. It carries out the decisions of its state after releasing the lock.
final class AsyncSemaphoreStorage: Sendable {
  typealias Place = WaiterLine.Place

  let label: String
  let runtime: any Runtime
  private let state: Locked<AsyncSemaphoreState>

  init(label: String, permits: Int, maxBypasses: Int?, runtime: any Runtime) {
    self.label = label
    self.runtime = runtime
    state = Locked(AsyncSemaphoreState(permits: permits, maxBypasses: maxBypasses))
  }

  deinit {
    let count = state.withLock { $0.waitingCount }
    guard count > 0 else { return }
    let (runtime, name) = (runtime, label.isEmpty ? "a semaphore" : "semaphore “\(label)”")
    // A lock may be held where the last reference is released, so report from another thread.
    runtime.pool.schedule {
      runtime.misuse(
        "never-completed",
        "\(name) was released while \(count) \(count == 1 ? "request" : "requests") waited for a permit; "
          + "keep a reference to it until each request has its permit")
    }
  }

  var permits: Int { state.withLock { $0.permits } }
  var waitingCount: Int { state.withLock { $0.waitingCount } }

  func take() -> Bool { state.withLock { $0.take() } }

  /// Takes a permit, or a place in the queue of waiters. Returns the place in the second case.
  func wait(priority: TaskPriority, _ resume: WaiterLine.Resume? = nil) -> Place? {
    let span = LaneContext.current.span
    return state.withLock { $0.wait(priority: priority.rawValue, for: span, resume) }
  }

  /// Suspends until the waiter at this place gets a permit.
  func turn(at place: Place) async throws {
    try await WaiterLine.suspendTask { resume in
      let verdict = state.withLock { $0.suspend(at: place, resume) }
      if let verdict { resume(verdict) }
    } givingUp: {
      giveUp(place)
    }
  }

  /// - Returns: whether the waiter at this place was still waiting, and now gives up.
  @discardableResult
  func giveUp(_ place: Place) -> Bool {
    let (givesUp, resume) = state.withLock { $0.giveUp(place) }
    resume?(.givesUp)
    return givesUp
  }

  func move(_ place: Place, to priority: TaskPriority) {
    state.withLock { $0.move(place, to: priority.rawValue) }
  }

  func signal() {
    guard let waiter = state.withLock({ $0.signal() }) else { return }
    if waiter.span != .none, let trace = runtime.trace {
      let giver = LaneContext.current.span
      if giver != .none, giver != waiter.span {
        trace.record(.resumed(waiter.span, because: Cause(.permit, giver), at: runtime.now))
      }
    }
    waiter.resume?(.continues)
  }
}
