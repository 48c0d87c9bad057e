import AsyncPatterns

extension SimulatedRuntime {
  /// Why a run ended.
  public enum Ending: Hashable, Sendable {
    /// Nothing was ready, and no timer was pending. If `waiters` is not empty, those threads wait forever.
    case idle
    /// The run reached the instant at which it should stop, and timers are pending.
    case reached
    case interrupted
    /// The run reached its limit of events.
    case limit
  }

  /// Runs until nothing is ready and no timer is pending.
  ///
  /// Only one thread at a time may run a simulation, and no job of the simulation may run it.
  ///
  /// - Parameters:
  ///   - limit: the number of events after which the run stops, in case it would never end.
  ///   - isAwaited: returns whether another thread may still bring work. It is called on a thread of the simulation
  ///     when nothing is left to do. If it returns true, the run waits for that work as long as for asynchronous code.
  @discardableResult
  public func runUntilIdle(
    limit: Int = .max, awaiting isAwaited: (@Sendable () -> Bool)? = nil
  ) -> Ending {
    run(until: Instant(nanoseconds: .max), limit: limit, awaiting: isAwaited)
  }

  /// Runs everything up to and including `instant`, and leaves the clock at `instant`.
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

  /// Runs everything up to and including the instant `duration` from now, and leaves the clock there.
  @discardableResult
  public func advance(by duration: Duration, limit: Int = .max) -> Ending {
    run(until: now.advanced(by: duration), limit: limit)
  }

  /// Starts a run, and returns immediately.
  ///
  /// - Parameter onEnd: called once, on a thread of the simulation. It can start the next run.
  public func start(
    until instant: Instant = Instant(nanoseconds: .max), limit: Int = .max,
    then onEnd: @escaping @Sendable (Ending) -> Void
  ) {
    loop.begin(until: instant, limit: max(limit, 0), then: onEnd)
  }

  /// Ends the current run before its next event. It can be called from any thread. The next run continues where this
  /// one stopped.
  public func interrupt() { loop.inbox.interrupt() }
}
