import AsyncPatterns

/// Something to do each time the main lane is about to wait.
final class EndOfTurnAction: Cancellable, @unchecked Sendable {
  // Safe to share: `job` is touched by the holder of the baton only.
  let order: Int
  private var job: Job?
  private let loop: EventLoop

  init(order: Int, _ job: Job, of loop: EventLoop) {
    self.order = order
    self.job = job
    self.loop = loop
  }

  func run() { job?.run() }

  func cancel() {
    loop.perform { loop in
      let job = self.job
      self.job = nil
      loop.endOfTurnActions.removeAll { $0 === self }
      withExtendedLifetime(job) {}
    }
  }
}

extension EventLoop {
  /// Puts it behind those of its order that are there already.
  func add(_ action: EndOfTurnAction) {
    let place = endOfTurnActions.firstIndex { $0.order > action.order }
    endOfTurnActions.insert(action, at: place ?? endOfTurnActions.endIndex)
  }

  func beginTurn() {
    if !endOfTurnActions.isEmpty { ready.beginTurn() }
  }
}
