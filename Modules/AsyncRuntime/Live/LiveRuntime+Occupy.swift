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
    guard let trace else { return }
    let context = LaneContext.current
    let moment = LiveClock.now
    trace.record(.worked(context.span, for: .nanoseconds(now - start), at: moment))
    context.noteHolder(context.span, until: moment, in: trace)
  }

  public func block(for duration: Duration) {
    block { _ = $0.wait(timeout: .now() + .nanoseconds(Int(duration.wholeNanoseconds))) }
  }

  public func occupy(
    _ activity: WorkerActivity, for duration: Duration, unless cancellation: Cancellation,
    begin: @escaping @Sendable () -> Void, then job: @escaping @Sendable () -> Void
  ) {
    LaneContext.current.scheduling(.start) {
      pool.schedule { occupyWorker(activity, for: duration, unless: cancellation, begin, job) }
    }
  }

  private func occupyWorker(
    _ activity: WorkerActivity, for duration: Duration, unless cancellation: Cancellation,
    _ begin: () -> Void, _ job: () -> Void
  ) {
    if cancellation.isCancelled { return job() }
    begin()
    switch activity {
    case .working:
      work(for: duration) { cancellation.isCancelled }
    case .blocking:
      block { alarm in
        let registration = cancellation.onCancel { alarm.signal() }
        _ = alarm.wait(timeout: .now() + .nanoseconds(Int(duration.wholeNanoseconds)))
        registration.dispose()
      }
    }
    job()
  }

  /// Records that the thread is blocked while `wait` waits.
  private func block(_ wait: (DispatchSemaphore) -> Void) {
    let context = LaneContext.current
    context.willPark()
    trace?.record(.blocked(context.span, at: LiveClock.now))
    wait(DispatchSemaphore(value: 0))
    guard let trace else { return }
    let now = LiveClock.now
    trace.record(.unblocked(context.span, because: Cause(.timer, context.span), at: now))
    context.noteHolder(context.span, until: now, in: trace)
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
