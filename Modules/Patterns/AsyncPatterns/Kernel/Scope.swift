/// What a running step may use: the runtime, its cancellation, its place in the trace; and, if a pattern
/// made it, the way to start the steps it is made of.
public struct Scope: Sendable {
  /// Where its time and threads come from.
  public var runtime: any Runtime { run.runtime }
  /// What stops it.
  public let cancellation: Cancellation
  /// Its place in the trace.
  public let span: Span

  let run: Run
  /// The spans of the steps it is made of, if it is traced and a pattern made it.
  let children: ChildSpans?
  /// Whether it receives every call of a step's completion, not only the first.
  let isUnguarded: Bool
  let flow: Manual.Flow

  /// Whether it has been told to stop.
  public var isCancelled: Bool { cancellation.isCancelled }

  /// Throws `CancellationError` if the scope is cancelled.
  public func checkCancellation() throws {
    if isCancelled { throw CancellationError() }
  }

  /// Calls `handler` once on cancellation, at once if that has been.
  ///
  /// Dispose of the registration when the step is done.
  @discardableResult
  public func onCancel(_ handler: @escaping @Sendable () -> Void) -> Cancellation.Registration {
    cancellation.onCancel(handler)
  }

  /// The same scope with a cancellation of its own, which also stops with this one: for a pattern that
  /// calls off some of its steps.
  public func cancellable() -> Scope {
    Scope(
      cancellation: Cancellation(parent: cancellation, of: run.trace == nil ? nil : run),
      span: span, run: run,
      children: children, isUnguarded: isUnguarded, flow: flow)
  }

  /// Stops what was started through this scope. Only on one that `cancellable()` made.
  public func cancel() { cancellation.cancel() }

  /// The runtime's clock, for asynchronous code.
  public var clock: SchedulerClock { runtime.clock }

  /// Suspends the calling task on the runtime's clock.
  public func sleep(for duration: Duration) async throws {
    try await clock.sleep(for: duration)
  }
}

extension Scope {
  /// Tells the trace the value of something that changes, such as an animated property.
  public func counter(_ name: String, _ value: Double) {
    runtime.trace?.record(.counter(name, value, of: span, at: runtime.now))
  }

  /// Records that something happened.
  ///
  /// - Parameter role: what it means to the readers of the trace.
  public func mark(_ name: String, _ detail: String = "", role: TraceEvent.Role = .plain) {
    runtime.trace?.record(.mark(name, detail, role: role, of: span, at: runtime.now))
  }

  /// Reports that something was used wrongly; `rule` is one of the lint rules.
  public func misuse(_ rule: String, _ detail: String) {
    run.report(rule, detail, of: span)
  }

  /// Keeps the run open until the returned hold is released: for work that outlives its step.
  public func holdOpen() -> RunHold { RunHold(run) }
}

/// Keeps a run open until it is released. Letting go of it releases it, too, from a worker of the pool.
public final class RunHold: Sendable {
  private let run: Locked<Run?>

  init(_ run: Run) {
    run.opened()
    self.run = Locked(run)
  }

  deinit {
    // Somebody's lock may be held where the last reference goes: the run settles elsewhere.
    guard let run = take() else { return }
    run.runtime.pool.schedule { run.closed() }
  }

  /// Lets the run settle, on the calling thread if nothing else keeps it open. Once only.
  public func release() { take()?.closed() }

  private func take() -> Run? {
    run.withLock { run in
      defer { run = nil }
      return run
    }
  }
}
