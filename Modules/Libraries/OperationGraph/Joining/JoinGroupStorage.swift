internal import AsyncRuntime

/// A group behind its lock. It carries out the decisions of its state after releasing the lock.
final class JoinGroupStorage: Sendable {
  let label: String
  let runtime: any Runtime
  private let state = Locked(JoinGroupState())

  init(label: String, runtime: any Runtime) {
    self.label = label
    self.runtime = runtime
  }

  /// Reports entries that were never left. No reference to the group is left, so they can
  /// never be left.
  deinit {
    guard let (text, span) = state.withLock({ $0.forgotten() }) else { return }
    let (runtime, name) = (runtime, name)
    // A lock may be held where the last reference is released, so report from another thread.
    runtime.pool.schedule {
      runtime.misuse(
        "unbalanced-leave",
        "\(name) was released before all members had left: \(text); leave on every path, or use "
          + "membership(), which also leaves when it is released", of: span)
    }
  }

  /// The name of the group in reports.
  var name: String { label.isEmpty ? "a group" : "group “\(label)”" }

  var count: Int { state.withLock { $0.count } }

  func enter(at site: CallSite) {
    let span = LaneContext.current.span
    state.withLock { $0.enter(at: site, for: span) }
  }

  func leave(at site: CallSite) { perform(state.withLock { $0.leave() }, leftAt: site) }

  func join() { state.withLock { $0.join() } }

  func leaveMembership() { perform(state.withLock { $0.leaveMembership() }, leftAt: nil) }

  private func perform(_ departure: JoinGroupState.Departure, leftAt site: CallSite?) {
    switch departure {
    case .stays: break
    case .empties(let waiters): for waiter in waiters { waiter.resume?(.continues) }
    case .unbalanced(let enter):
      let entered = enter.map { "it was last entered at \($0)" } ?? "it was never entered"
      runtime.misuse(
        "unbalanced-leave",
        "\(name) was left\(site.map { " at \($0)" } ?? "") while it was empty (\(entered)); the call "
          + "was ignored: leave once for every enter, or use membership(), which leaves only once",
        of: LaneContext.current.span)
    }
  }

  // MARK: Waiting

  /// Calls `handler` once when the group is empty, or immediately if it is.
  func notify(_ handler: @escaping @Sendable () -> Void) {
    let span = LaneContext.current.span
    let isKept = state.withLock { state in state.keep({ _ in handler() }, for: span) }
    if !isKept { handler() }
  }

  /// Suspends until the group is empty.
  func waitUntilEmpty() async throws {
    try Task.checkCancellation()
    let span = LaneContext.current.span
    let place = state.withLock { $0.isEmpty ? nil : $0.waiters.enter(for: span) }
    guard let place else { return }
    try await WaiterLine.suspendTask { resume in
      let verdict = state.withLock { $0.waiters.suspend(at: place, resume) }
      if let verdict { resume(verdict) }
    } givingUp: {
      let resume = state.withLock { $0.waiters.giveUp(place) }
      resume?(.givesUp)
    }
  }
}
