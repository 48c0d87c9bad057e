import AsyncSimulation

/// A clock that only a test advances.
public final class ManualClock: Clock {
  public typealias Duration = Swift.Duration

  public struct Instant: InstantProtocol {
    var offset = Duration.zero

    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper: Sendable {
    let deadline: Instant
    let wake: @Sendable (Result<Void, any Error>) -> Void
  }

  private struct State: Sendable {
    var now = Instant()
    var count = 0
    var sleepers: [Int: Sleeper] = [:]
    /// The callers that wait for a number of sleepers.
    var waiters: [(count: Int, resume: @Sendable () -> Void)] = []

    mutating func takeWaiters() -> [@Sendable () -> Void] {
      let count = sleepers.count
      defer { waiters.removeAll { $0.count == count } }
      return waiters.filter { $0.count == count }.map(\.resume)
    }
  }

  private let state = Locked(State())

  public init() {}

  public var now: Instant { state.withLock { $0.now } }
  public var minimumResolution: Duration { .zero }

  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    defer { change { $0.sleepers[number] = nil } }
    try await AwaitedResult<Void>.wait { wake in
      change { state in
        // An advance from now on finds the sleeper.
        state.sleepers[number] = Sleeper(deadline: deadline, wake: wake)
      }
      if deadline <= now { wake(.success(())) }
    }
  }

  /// Advances the time, and wakes the tasks whose deadlines have come.
  public func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      return state.sleepers.values.filter { $0.deadline <= state.now }
    }
    for sleeper in due.sorted(by: { $0.deadline < $1.deadline }) { sleeper.wake(.success(())) }
  }

  /// Suspends until that many tasks sleep.
  public func wait(forSleepers count: Int) async {
    await ended { end in change { $0.waiters.append((count, end)) } }
  }

  private func change(_ body: (inout State) -> Void) {
    let waiters = state.withLock { state in
      body(&state)
      return state.takeWaiters()
    }
    for resume in waiters { resume() }
  }
}
