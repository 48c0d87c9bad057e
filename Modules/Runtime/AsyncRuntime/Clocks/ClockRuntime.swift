/// The threads of a live runtime and the time of any `Clock`, such as the clock that your tests advance. In this
/// example, `ManualClock` is a type of the tests:
///
/// ```swift
/// let clock = ManualClock()
/// let runtime = ClockRuntime(clock)
/// let alarm = Promise<Void, Never>.after(.seconds(5), runtime: runtime).map { "wake up" }
///
/// clock.advance(by: .seconds(5))
/// #expect(await alarm.value == "wake up")
/// ```
///
/// - `now` is the time on the clock since the runtime was made.
/// - A delayed job runs when the clock has reached its deadline, never earlier. Jobs whose deadlines have passed are
///   handed to their schedulers in the order of their deadlines. Jobs with the same deadline are handed over in the
///   order in which they were scheduled.
/// - The deadline is known when `schedule(after:_:)` returns. A test can advance the clock immediately afterwards.
/// - All timers share one task, which sleeps on the clock. When the last timer is cancelled, the
///   sleep is cancelled. If other timers are left, the task may wake up once for a cancelled timer.
/// - A delay below zero counts as zero, and one beyond 200 years as 200 years.
///
/// The workers are threads, so the order of jobs on different lanes can vary. Only a
/// `SimulatedRuntime` repeats that order. Setting or cancelling a timer takes amortized O(log *n*)
/// for *n* timers.
///
/// The runtime records no trace, since the live workers have another clock. `occupy`, `work(for:)`
/// and `block(for:)` take real time.
public final class ClockRuntime: Runtime {
  private let live: LiveRuntime
  private let timers: ClockTimers
  public let main: any RunLoopScheduler
  public let pool: any Scheduler

  /// - Parameters:
  ///   - clock: provides the time, and wakes the timers.
  ///   - live: provides the workers and run loops. Its trace is not used.
  public init(_ clock: some Clock<Duration>, on live: LiveRuntime = .shared) {
    let untraced = live.tracing(to: nil)
    let timers = ClockTimers(clock)
    self.live = untraced
    self.timers = timers
    main = ClockRunLoop(loop: untraced.main, timers: timers)
    pool = ClockScheduler(scheduler: untraced.pool, timers: timers)
  }

  /// Always nil.
  public var trace: (any TraceSink)? { nil }
  public var width: Int { live.width }

  public func serial(_ label: String) -> any Scheduler {
    ClockScheduler(scheduler: live.serial(label), timers: timers)
  }

  public func runLoop(_ label: String) -> any RunLoopScheduler {
    ClockRunLoop(loop: live.runLoop(label), timers: timers)
  }

  public func semaphore(_ value: Int) -> any BlockingSemaphore { live.semaphore(value) }

  /// Occupies the calling thread for real time, by the machine's clock.
  public func occupy(
    _ activity: WorkerActivity, for duration: Duration, cancellation: Cancellation?
  ) { live.occupy(activity, for: duration, cancellation: cancellation) }

  /// Chooses at random.
  public func choose(_ count: Int) -> Int { live.choose(count) }
}
