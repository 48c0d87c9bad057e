internal import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension LiveRuntime {
  public func work(for duration: Duration) { work(for: duration) { false } }

  /// Spins until the thread has spent `duration` of CPU time, or `isOver`.
  private func work(for duration: Duration, unless isOver: () -> Bool) {
    let start = nanoseconds(on: CLOCK_THREAD_CPUTIME_ID)
    let (sum, isForEver) = start.addingReportingOverflow(max(duration.wholeNanoseconds, 0))
    let end = isForEver ? .max : sum
    var now = start
    while now < end, !isOver() {
      // Reading this clock is a system call, so there is something to do between two of them.
      for _ in 0..<200 { spinHint() }
      now = nanoseconds(on: CLOCK_THREAD_CPUTIME_ID)
    }
    trace?.record(
      .worked(LaneContext.current.span, for: .nanoseconds(now - start), at: LiveClock.now))
  }

  public func block(for duration: Duration) {
    park { _ = $0.wait(timeout: .now() + .nanoseconds(Int(duration.wholeNanoseconds))) }
  }

  public func occupy(
    _ activity: WorkerActivity, for duration: Duration, unless cancellation: Cancellation,
    begin: @escaping @Sendable () -> Void, then job: @escaping @Sendable () -> Void
  ) {
    pool.schedule {
      if cancellation.isCancelled { return job() }
      begin()
      switch activity {
      case .working:
        work(for: duration) { cancellation.isCancelled }
      case .blocking:
        park { alarm in
          let registration = cancellation.onCancel { alarm.signal() }
          _ = alarm.wait(timeout: .now() + .nanoseconds(Int(duration.wholeNanoseconds)))
          registration.dispose()
        }
      }
      job()
    }
  }

  /// Tells the trace that the thread stands parked while `wait` waits.
  private func park(_ wait: (DispatchSemaphore) -> Void) {
    let context = LaneContext.current
    context.willPark()
    trace?.record(.blocked(context.span, at: LiveClock.now))
    wait(DispatchSemaphore(value: 0))
    trace?.record(.unblocked(context.span, at: LiveClock.now))
  }
}

@inline(never)
private func spinHint() {}

private func nanoseconds(on clock: clockid_t) -> Int64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// The machine's monotonic clock.
enum LiveClock {
  static var now: Instant { Instant(nanoseconds: nanoseconds(on: CLOCK_MONOTONIC)) }
}
