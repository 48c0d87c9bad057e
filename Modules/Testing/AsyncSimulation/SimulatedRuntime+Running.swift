import AsyncPatterns

extension SimulatedRuntime {
  /// Why a run came to its end.
  public enum Ending: Hashable, Sendable {
    /// Nothing was ready, and no timer pending. If `waiters` has any, they wait for ever.
    case idle
    /// The instant was reached at which the run was to stop, and timers are pending.
    case reached
    case interrupted
    /// As many events have happened as were allowed.
    case limit
  }

  /// Runs until nothing is ready and no timer is pending.
  ///
  /// One thread at a time may run a simulation, and none of its jobs may.
  ///
  /// - Parameters:
  ///   - limit: stops after so many events, if something goes on for ever.
  ///   - isAwaited: asked when nothing is left to do, on a thread of the simulation's: whether another
  ///     thread may still bring something, for which it is then waited as long as for asynchronous code.
  @discardableResult
  public func runUntilIdle(
    limit: Int = .max, awaiting isAwaited: (@Sendable () -> Bool)? = nil
  ) -> Ending {
    run(until: Instant(nanoseconds: .max), limit: limit, awaiting: isAwaited)
  }

  /// Runs everything up to and including `instant`, where the clock then stands.
  @discardableResult
  public func run(until instant: Instant, limit: Int = .max) -> Ending {
    run(until: instant, limit: limit, awaiting: nil)
  }

  private func run(
    until instant: Instant, limit: Int, awaiting isAwaited: (@Sendable () -> Bool)?
  ) -> Ending {
    let gate = Gate()
    let ending = Locked(Ending.idle)
    loop.begin(until: instant, limit: max(limit, 0), awaiting: isAwaited) { reached in
      ending.withLock { $0 = reached }
      gate.open()
    }
    gate.wait()
    return ending.withLock { $0 }
  }

  /// Runs everything up to and including the instant `duration` from now, where the clock then stands.
  @discardableResult
  public func advance(by duration: Duration, limit: Int = .max) -> Ending {
    run(until: now.advanced(by: duration), limit: limit)
  }

  /// Begins to run, and returns at once.
  ///
  /// - Parameter onEnd: called once, on a thread of the simulation's; the next run may begin there.
  public func start(
    until instant: Instant = Instant(nanoseconds: .max), limit: Int = .max,
    then onEnd: @escaping @Sendable (Ending) -> Void
  ) {
    loop.begin(until: instant, limit: max(limit, 0), then: onEnd)
  }

  /// Ends the run that is under way before its next event; from any thread. The next run goes on where
  /// this one was.
  public func interrupt() { loop.inbox.interrupt() }
}
