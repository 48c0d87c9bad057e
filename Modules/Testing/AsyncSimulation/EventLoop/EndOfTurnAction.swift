import AsyncPatterns

/// An action to run each time a run loop is about to wait.
final class EndOfTurnAction: Cancellable, @unchecked Sendable {
  // Safe to share: only the holder of the baton touches `job`.
  let order: Int
  /// The run loop, if it is not the main one.
  let side: SideLoop?
  private var job: Job?
  private let loop: EventLoop

  init(order: Int, _ job: Job, on side: SideLoop?, of loop: EventLoop) {
    self.order = order
    self.job = job
    self.side = side
    self.loop = loop
  }

  func run() { job?.run() }

  /// Drops the job, so that it never runs again.
  func forget() { job = nil }

  func cancel() {
    loop.perform { loop in
      let job = self.job
      self.job = nil
      loop.remove(self)
      withExtendedLifetime(job) {}
    }
  }
}

extension EventLoop {
  /// Adds an action, behind the present actions of the same order.
  func add(_ action: EndOfTurnAction) {
    actionCount += 1
    if let side = action.side {
      if side.endOfTurnActions.isEmpty { sidesWithActions.append(side) }
      side.endOfTurnActions.insert(action)
    } else {
      endOfTurnActions.insert(action)
    }
  }

  fileprivate func remove(_ action: EndOfTurnAction) {
    if let side = action.side {
      actionCount -= side.endOfTurnActions.remove(action)
      if side.endOfTurnActions.isEmpty { sidesWithActions.removeAll { $0 === side } }
    } else {
      actionCount -= endOfTurnActions.remove(action)
    }
  }

  func beginTurn() {
    if !endOfTurnActions.isEmpty { ready.beginTurn() }
  }

  /// Makes every run loop take a last turn.
  func beginLastTurns() {
    beginTurn()
    for side in sidesWithActions { beginTurn(of: side) }
  }

  /// Removes all actions, so that none runs again.
  func removeEndOfTurnActions() {
    for action in endOfTurnActions { action.forget() }
    endOfTurnActions = []
    for side in sidesWithActions {
      for action in side.endOfTurnActions { action.forget() }
      side.endOfTurnActions = []
    }
    sidesWithActions = []
    actionCount = 0
  }
}

extension [EndOfTurnAction] {
  fileprivate mutating func insert(_ action: EndOfTurnAction) {
    insert(action, at: firstIndex { $0.order > action.order } ?? endIndex)
  }

  fileprivate mutating func remove(_ action: EndOfTurnAction) -> Int {
    let before = count
    removeAll { $0 === action }
    return before - count
  }
}
