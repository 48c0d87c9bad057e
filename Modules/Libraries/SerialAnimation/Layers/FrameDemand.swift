internal import AsyncRuntime

/// Reports frames to handlers as long as something moves.
final class FrameDemand: Sendable {
  typealias Handler = @Sendable (Instant) -> Void

  private struct State {
    var moving: Set<ObjectIdentifier> = []
    var handlers: [(number: UInt64, handler: Handler)] = []
    var lastNumber: UInt64 = 0
    var frames: (any Cancellable)?

    var wantsFrames: Bool { !moving.isEmpty && !handlers.isEmpty }
  }

  private let clock: FrameClock
  private let state = Locked(State())

  init(clock: FrameClock) { self.clock = clock }

  /// `group` begins to move.
  func begin(_ group: AnimationGroup) {
    state.withLock { _ = $0.moving.insert(ObjectIdentifier(group)) }
    update()
  }

  /// `group` has ended. Calls the handlers immediately, whether a frame is due or not.
  func end(_ group: AnimationGroup) {
    state.withLock { _ = $0.moving.remove(ObjectIdentifier(group)) }
    callHandlers(group.now)
    update()
  }

  func onFrame(_ handler: @escaping Handler) -> any Cancellable {
    let number = state.withLock { state in
      state.lastNumber += 1
      state.handlers.append((state.lastNumber, handler))
      return state.lastNumber
    }
    update()
    return Listening(demand: self, number: number)
  }

  private func remove(_ number: UInt64) {
    let removed = state.withLock { state -> Handler? in
      guard let index = state.handlers.firstIndex(where: { $0.number == number }) else {
        return nil
      }
      return state.handlers.remove(at: index).handler
    }
    withExtendedLifetime(removed) { update() }
  }

  private func callHandlers(_ time: Instant) {
    for number in state.withLock({ $0.handlers.map(\.number) }) {
      // An earlier handler may have cancelled this one.
      let handler = state.withLock { state in
        state.handlers.first { $0.number == number }?.handler
      }
      handler?(time)
    }
  }

  /// Observes the clock while frames are wanted, and only then.
  private func update() {
    let listening = state.withLock { state -> (any Cancellable)? in
      if state.wantsFrames { return nil }
      defer { state.frames = nil }
      return state.frames
    }
    listening?.cancel()
    guard state.withLock({ $0.wantsFrames && $0.frames == nil }) else { return }
    // Weak, because the clock and this object would retain each other and leak if the runtime were discarded.
    let started = clock.onFrame { [weak self] in self?.callHandlers($0.time) }
    let surplus = state.withLock { state -> (any Cancellable)? in
      // Another thread may have been faster, or frames may no longer be wanted.
      guard state.wantsFrames, state.frames == nil else { return started }
      state.frames = started
      return nil
    }
    surplus?.cancel()
  }

  private final class Listening: Cancellable {
    private let demand: FrameDemand
    private let number: UInt64

    init(demand: FrameDemand, number: UInt64) {
      self.demand = demand
      self.number = number
    }

    func cancel() { demand.remove(number) }
  }
}
