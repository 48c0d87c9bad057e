import Synchronization

/// When a job of a traced run is due, after a timer or a hop. With it, the trace records that a
/// timer fired, and how long the job then waited for its lane.
public final class DueTime: Sendable {
  private let time: Instant
  /// When its timer was set.
  private let set: Instant
  private let purpose: JobPurpose
  private let trace: any TraceSink
  private let scheduler: any Scheduler
  /// The longest wait that does not count, in nanoseconds.
  private let latency: Int64
  /// Whether the lane was held when the job was due.
  private let isHeld: Atomic<Bool>

  /// The time that the machine may need to wake a thread for a job that is due, in nanoseconds.
  static let liveLatency: Int64 = 1_000_000

  private init(
    _ time: Instant, set: Instant, for purpose: JobPurpose, _ scheduler: any Scheduler,
    _ trace: any TraceSink, isHeld: Bool, latency: Int64
  ) {
    self.time = time
    self.set = set
    self.purpose = purpose
    self.scheduler = scheduler
    self.trace = trace
    self.isHeld = Atomic(isHeld)
    self.latency = latency
  }

  /// Makes the due time of a job that the calling thread schedules; nil if the thread runs code of
  /// no span and the job does not start a step.
  ///
  /// A function and not an initializer: an initializer that fails has already allocated memory.
  ///
  /// - Parameters:
  ///   - delay: how long after now the job is due; a negative delay counts as none.
  ///   - isHeld: whether the lane counts as held without `noteHeld()`. Pass true for a clock on which only jobs take
  ///     time, because a job that is due can then be late only if its lane was held.
  ///   - latency: the longest wait that does not count, in nanoseconds.
  public static func make(
    after delay: Duration = .zero, on scheduler: any Scheduler, trace: any TraceSink,
    isHeld: Bool = true, latency: Int64 = 0
  ) -> DueTime? {
    let context = LaneContext.current
    guard context.span != .none || context.purpose == .start else { return nil }
    let now = scheduler.now
    return DueTime(
      now.advanced(by: max(delay, .zero)), set: now, for: context.purpose, scheduler, trace,
      isHeld: isHeld, latency: latency)
  }

  /// Like `make`, for a live lane, whose scheduler calls `noteHeld()`. Without a trace, a call costs
  /// one comparison.
  @inline(__always)
  static func live(
    after delay: Duration = .zero, on scheduler: some Scheduler, trace: (any TraceSink)?
  ) -> DueTime? {
    guard let trace else { return nil }
    return make(after: delay, on: scheduler, trace: trace, isHeld: false, latency: liveLatency)
  }

  /// Notes that the job is due while the lane is not free.
  func noteHeld() { isHeld.store(true, ordering: .relaxed) }

  /// Returns the job of a timer. The job records what it waited for, and then runs `body`.
  public func timed(_ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    {
      let context = LaneContext.current
      let (span, cause) = (context.span, context.causality.cause)
      if let wait = self.wait(in: context) {
        self.record(wait, of: span, because: cause)
      } else if self.purpose != .end {
        self.trace.record(
          .resumed(span, byTimerSet: self.set, because: cause, at: self.scheduler.now))
      }
      context.causality.cause = Cause(.timer, span)
      body()
    }
  }

  /// Returns the job after a hop. The job records how long it waited, and then runs `body`.
  public func hopped(_ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    {
      let context = LaneContext.current
      let wait = self.wait(in: context)
      if self.purpose == .start {
        let outer = context.startWait
        context.startWait = wait
        body()
        context.startWait = outer
      } else {
        if let wait {
          self.record(wait, of: context.span, because: context.causality.cause)
          // The timer remains the cause if the code cancels something.
          if context.causality.cause.kind != .timer { context.causality.cause = .itself }
        }
        body()
      }
    }
  }

  /// How the job waited for its lane, if it did.
  private func wait(in context: LaneContext) -> LaneWait? {
    guard isHeld.load(ordering: .relaxed),
      time.duration(to: scheduler.now) > .nanoseconds(latency)
    else { return nil }
    return LaneWait(ready: time, holder: context.holder(since: time, in: trace))
  }

  private func record(_ wait: LaneWait, of span: Span, because cause: Cause) {
    trace.record(
      .resumed(
        span, behind: wait.holder, due: time, set: set, because: cause, at: scheduler.now))
  }
}
