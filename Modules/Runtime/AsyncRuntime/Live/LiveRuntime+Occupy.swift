internal import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension LiveRuntime {
  public func occupy(
    _ activity: WorkerActivity, for duration: Duration, cancellation: Cancellation?
  ) {
    switch activity {
    case .working: work(for: duration, cancellation: cancellation)
    case .blocking: block(for: duration, cancellation: cancellation)
    }
  }

  /// Spins until the thread has spent `duration` of CPU time.
  private func work(for duration: Duration, cancellation: Cancellation?) {
    let start = nanoseconds(on: CLOCK_THREAD_CPUTIME_ID)
    let (sum, isForEver) = start.addingReportingOverflow(max(duration.wholeNanoseconds, 0))
    let end = isForEver ? .max : sum
    var now = start
    while now < end, cancellation?.isCancelled != true {
      // Reading this clock is a system call, so the loop computes between two readings.
      for _ in 0..<200 { spinHint() }
      now = nanoseconds(on: CLOCK_THREAD_CPUTIME_ID)
    }
    guard let trace else { return }
    let context = LaneContext.current
    let moment = LiveClock.now
    trace.record(.worked(context.span, for: .nanoseconds(now - start), at: moment))
    context.noteHolder(context.span, until: moment, in: trace)
  }

  /// Blocks the thread, and records when it was blocked.
  private func block(for duration: Duration, cancellation: Cancellation?) {
    let context = LaneContext.current
    context.willBlock()
    trace?.record(.blocked(context.span, at: LiveClock.now))
    let alarm = DispatchSemaphore(value: 0)
    let registration = cancellation?.onCancel { alarm.signal() }
    _ = alarm.wait(timeout: .now() + .nanoseconds(Int(duration.wholeNanoseconds)))
    registration?.dispose()
    guard let trace else { return }
    let now = LiveClock.now
    let timer = Cause(.timer, context.span)
    trace.record(.unblocked(context.span, because: cancellation?.cause ?? timer, at: now))
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
