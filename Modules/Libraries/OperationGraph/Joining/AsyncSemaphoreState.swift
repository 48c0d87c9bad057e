internal import AsyncRuntime

/// The state of a semaphore: its permits and its waiters.
///
/// It only makes decisions. The caller carries them out after releasing the lock. Invariant: while a permit is free,
/// there are no waiters.
struct AsyncSemaphoreState {
  typealias Place = WaiterLine.Place

  private(set) var permits: Int
  private let maxBypasses: Int?
  /// The number of permits in a row that have bypassed the longest waiter.
  private var bypasses = 0
  private var line = WaiterLine()

  /// - Parameter maxBypasses: the number of permits in a row that may bypass the longest waiter.
  init(permits: Int, maxBypasses: Int?) {
    self.permits = max(permits, 0)
    self.maxBypasses = maxBypasses.map { max($0, 0) }
  }

  var waitingCount: Int { line.count }

  /// Takes a free permit.
  mutating func take() -> Bool {
    guard permits > 0 else { return false }
    permits -= 1
    return true
  }

  /// Takes a permit, or a place in the queue of waiters. Returns the place in the second case.
  mutating func wait(
    priority: UInt8, for span: Span, _ resume: WaiterLine.Resume? = nil
  ) -> Place? {
    take() ? nil : line.enter(priority: priority, for: span, resume)
  }

  mutating func suspend(
    at place: Place, _ resume: @escaping WaiterLine.Resume
  ) -> WaiterLine.Verdict? {
    line.suspend(at: place, resume)
  }

  /// Removes a waiter that gives up. A waiter that already has a permit keeps it.
  ///
  /// - Returns: whether it gives up, and the handler to notify.
  mutating func giveUp(_ place: Place) -> (givesUp: Bool, resume: WaiterLine.Resume?) {
    guard line.isWaiting(at: place) else { return (false, nil) }
    if line.oldest == place { bypasses = 0 }
    return (true, line.giveUp(place))
  }

  mutating func move(_ place: Place, to priority: UInt8) { line.move(place, to: priority) }

  /// Gives a permit back. The next waiter gets it.
  ///
  /// - Returns: the waiter that now has the permit.
  mutating func signal() -> WaiterLine.Waiter? {
    guard let first = line.first, let oldest = line.oldest else {
      // The number of permits never exceeds `Int.max`.
      if permits < .max { permits += 1 }
      return nil
    }
    guard first != oldest else {
      bypasses = 0
      return line.resume(at: first)
    }
    if let maxBypasses, bypasses >= maxBypasses {
      bypasses = 0
      return line.resume(at: oldest)
    }
    // Without a limit, `bypasses` is not used and stays 0.
    bypasses = min(bypasses + 1, maxBypasses ?? 0)
    return line.resume(at: first)
  }
}
