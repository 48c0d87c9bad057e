import Synchronization

/// When code is to go on, by a timer or after a hop, so that the trace learns how long it waits for its lane from then
/// on.
package final class DueTime: Sendable {
  private let time: Instant
  private let trace: any TraceSink
  private let scheduler: any Scheduler
  /// What counts as no wait, in nanoseconds.
  private let latency: Int64
  /// Whether the lane was held when the time was up.
  private let isHeld: Atomic<Bool>

  /// How long the machine may take to wake a thread for what is due, in nanoseconds.
  private static let liveLatency: Int64 = 1_000_000

  private init(
    _ time: Instant, _ scheduler: any Scheduler, _ trace: any TraceSink, isHeld: Bool,
    latency: Int64
  ) {
    self.time = time
    self.scheduler = scheduler
    self.trace = trace
    self.isHeld = Atomic(isHeld)
    self.latency = latency
  }

  /// Nil for the start of a step, and where nobody is there on whose behalf the calling thread runs.
  ///
  /// No initializer, since one that fails has taken memory by then.
  ///
  /// - Parameters:
  ///   - delay: how long after now it is; below zero counts as none.
  ///   - isHeld: whether the lane counts as held without `noteHeld()`: where time passes for no other reason.
  ///   - latency: what counts as no wait, in nanoseconds.
  package static func make(
    after delay: Duration = .zero, on scheduler: any Scheduler, trace: any TraceSink,
    isHeld: Bool = true, latency: Int64 = 0
  ) -> DueTime? {
    let context = LaneContext.current
    guard context.span != .none, !context.schedulesStart else { return nil }
    return DueTime(
      scheduler.now.advanced(by: max(delay, .zero)), scheduler, trace, isHeld: isHeld,
      latency: latency)
  }

  /// As `make` for a live lane, whose jobs note what holds it. Where nobody traces it costs one comparison.
  @inline(__always)
  static func live(
    after delay: Duration = .zero, on scheduler: some Scheduler, trace: (any TraceSink)?
  ) -> DueTime? {
    guard let trace else { return nil }
    return make(after: delay, on: scheduler, trace: trace, isHeld: false, latency: liveLatency)
  }

  /// The time is up, and the lane is not free.
  func noteHeld() { isHeld.store(true, ordering: .relaxed) }

  /// What a timer runs that goes off then: it tells the trace how long it has waited, and then runs `body`.
  package func timed(_ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    {
      let context = LaneContext.current
      context.goOffTimer()
      self.run(in: context, body)
    }
  }

  /// What runs after a hop: it tells the trace how long it has waited, and then runs `body`.
  package func hopped(_ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    { self.run(in: .current, body) }
  }

  /// Runs the code that is due, and first tells the trace how long the span has waited on whose behalf it runs.
  private func run(in context: LaneContext, _ body: () -> Void) {
    let (outer, outerWaited) = (context.due, context.waited)
    context.due = .passUnretained(self)
    context.waited = tellWait(of: context.span) ? context.span : .none
    body()
    (context.due, context.waited) = (outer, outerWaited)
  }

  private func tellWait(of span: Span) -> Bool {
    guard isHeld.load(ordering: .relaxed) else { return false }
    let now = scheduler.now
    guard time.duration(to: now) > .nanoseconds(latency) else { return false }
    trace.record(.queued(span, since: time, at: now))
    return true
  }

  /// Tells the trace that the code which was due, a timer's, has just cut a step off.
  ///
  /// - Parameter isLate: whether it has told of a wait.
  func tellCutOff(of step: Span, isLate: Bool) {
    trace.record(.timedOut(step, isLate: isLate, at: scheduler.now))
  }
}
