/// The lock and the effects of a promise: it does what its state decides, after the lock.
final class PromiseStorage<Success: Sendable, Failure: Error>: Sendable {
  typealias Listener = PromiseState<Success, Failure>.Listener

  let context: PromiseContext
  private let state = Locked(PromiseState<Success, Failure>())

  init(_ context: PromiseContext) { self.context = context }

  deinit {
    guard state.withLock({ $0.hasListeners }) else { return }
    // Each listener may hold the next promise of a chain. They go from the lane's loop, not from in
    // here, or a long chain that goes at once would need a stack as deep as it is long.
    LaneContext.current.perform { [state] in _ = state.withLock { $0.abandon() } }
  }

  /// - Returns: whether the caller is the one who settles it.
  func claim() -> Bool { state.withLock { $0.claim() } }

  var isClaimed: Bool { state.withLock { $0.isClaimed } }

  /// Settles it, unless it is settled.
  func settle(_ result: Result<Success, Failure>) {
    if state.withLock({ $0.settle(result) }) { deliver() }
  }

  /// Settles it as `other` will be.
  func adopt(_ other: PromiseStorage) {
    guard other !== self else {
      context.runtime.misuse(
        "never-completed", "a promise was resolved with itself, so it will never be settled",
        of: LaneContext.current.span)
      return
    }
    other.listen { self.settle($0) }
  }

  /// Tells `listener` once, from the loop of the lane: no listener runs inside another.
  func listen(_ listener: @escaping Listener) {
    if state.withLock({ $0.listen(listener) }) { deliver() }
  }

  private func deliver() {
    LaneContext.current.perform { [self] in
      while let (result, listeners) = state.withLock({ $0.nextListeners() }) {
        for listener in listeners { listener(result) }
      }
    }
  }
}

/// Where the promises of a chain run their handlers unless they are told otherwise.
final class PromiseContext: Sendable {
  let placement: Placement
  let runtime: any Runtime

  init(_ placement: Placement, _ runtime: any Runtime) {
    self.placement = placement
    self.runtime = runtime
  }

  /// Runs a handler at `placement`, or where the chain runs its handlers. Called by a listener, so that
  /// what is to run inline can run here and now.
  func run(on placement: Placement?, _ handler: @escaping @Sendable () -> Void) {
    let placement = placement ?? self.placement
    if case .inline = placement { handler() } else { placement.run(on: runtime, handler) }
  }
}
