internal import AsyncRuntime

/// Lets those who draw know of frames, as long as something moves.
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

  /// `group` has ended: what is shown now is told, whether there is a frame or not.
  func end(_ group: AnimationGroup) {
    state.withLock { _ = $0.moving.remove(ObjectIdentifier(group)) }
    tell(group.now)
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

  private func tell(_ time: Instant) {
    for number in state.withLock({ $0.handlers.map(\.number) }) {
      // One that was told before may have called this one off.
      let handler = state.withLock { state in
        state.handlers.first { $0.number == number }?.handler
      }
      handler?(time)
    }
  }

  /// Listens to the clock if frames are wanted, and only then.
  private func update() {
    let listening = state.withLock { state -> (any Cancellable)? in
      if state.wantsFrames { return nil }
      defer { state.frames = nil }
      return state.frames
    }
    listening?.cancel()
    guard state.withLock({ $0.wantsFrames && $0.frames == nil }) else { return }
    // The clock does not hold it: a runtime that is given up would leave both.
    let started = clock.onFrame { [weak self] in self?.tell($0.time) }
    let surplus = state.withLock { state -> (any Cancellable)? in
      // Somebody else may have been faster, or the wish be gone.
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
