/// When code is to go on, by a timer or after a hop, so that the trace learns how long it waits for its lane from then
/// on.
package struct DueTime: Sendable {
  private let time: Instant
  private let trace: any TraceSink
  private let scheduler: any Scheduler
  /// What counts as no wait, in nanoseconds.
  private let latency: Int64

  /// How long the machine may take to wake a thread for what is due, in nanoseconds.
  private static let liveLatency: Int64 = 100_000

  /// Nil where there is no trace.
  ///
  /// - Parameter delay: how long after now it is; below zero counts as none.
  package init?(
    after delay: Duration = .zero, on scheduler: any Scheduler, _ clock: ClockKind,
    trace: (any TraceSink)?
  ) {
    guard let trace else { return nil }
    self.trace = trace
    self.scheduler = scheduler
    time = scheduler.now.advanced(by: max(delay, .zero))
    latency = clock == .live ? Self.liveLatency : 0
  }

  /// What a timer runs that goes off then: it tells the trace how long it has waited, and then runs `body`.
  package func timed(_ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    {
      tellWait()
      LaneContext.current.goOffTimer()
      body()
    }
  }

  /// Tells the trace, as the code goes on, how long the span on whose behalf it runs has waited.
  package func tellWait() {
    let span = LaneContext.current.span
    guard span != .none else { return }
    let now = scheduler.now
    guard time.duration(to: now) > .nanoseconds(latency) else { return }
    trace.record(.queued(span, since: time, at: now))
  }
}
