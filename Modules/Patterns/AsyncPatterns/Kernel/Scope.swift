/// Gives a running step the runtime, its cancellation and its span in the trace. The scope of a pattern also starts the
/// pattern's steps.
public struct Scope: Sendable {
  /// The source of its time and threads.
  public var runtime: any Runtime { run.runtime }
  /// Cancels the step.
  public let cancellation: Cancellation
  /// Its span in the trace.
  public let span: Span

  let run: Run
  /// The spans of the pattern's steps, for a pattern in a traced run.
  let children: ChildSpans?
  /// Whether the pattern receives every call of a step's completion, not only the first.
  let isUnguarded: Bool
  let flow: Manual.Flow

  /// Whether it has been cancelled.
  public var isCancelled: Bool { cancellation.isCancelled }

  /// Throws `CancellationError` if the scope is cancelled.
  public func checkCancellation() throws {
    if isCancelled { throw CancellationError() }
  }

  /// Calls `handler` once on cancellation, or immediately if the scope is already cancelled.
  ///
  /// Dispose of the registration when the step is done.
  @discardableResult
  public func onCancel(_ handler: @escaping @Sendable () -> Void) -> Cancellation.Registration {
    cancellation.onCancel(handler)
  }

  /// The same scope with a separate cancellation, which is also cancelled when this scope is cancelled. It is for a
  /// pattern that cancels some of its steps.
  public func cancellable() -> Scope {
    Scope(
      cancellation: Cancellation(parent: cancellation, of: run.trace == nil ? nil : run),
      span: span, run: run,
      children: children, isUnguarded: isUnguarded, flow: flow)
  }

  /// Cancels everything started through this scope. Call it only on a scope that `cancellable()` returned.
  public func cancel() { cancellation.cancel() }

  /// The runtime's clock, for asynchronous code.
  public var clock: SchedulerClock { runtime.clock }

  /// Suspends the calling task on the runtime's clock.
  public func sleep(for duration: Duration) async throws {
    try await clock.sleep(for: duration)
  }
}

extension Scope {
  /// Records the value of something that changes, such as an animated property.
  public func counter(_ name: String, _ value: Double) {
    runtime.trace?.record(.counter(name, value, of: span, at: run.now))
  }

  /// Records that something happened.
  ///
  /// - Parameter role: the meaning of the mark for code that reads the trace.
  public func mark(_ name: String, _ detail: String = "", role: TraceEvent.Role = .plain) {
    runtime.trace?.record(.mark(name, detail, role: role, of: span, at: run.now))
  }

  /// Reports that something was used incorrectly; `rule` is one of the lint rules.
  public func misuse(_ rule: String, _ detail: String) {
    run.report(rule, detail, of: span)
  }

  /// Keeps the run open until the returned hold is released, for work that outlives its step.
  public func holdOpen() -> RunHold { RunHold(run) }
}

/// Keeps a run open until `release()` is called. Deinitializing it has the same effect, on a worker of the pool.
public final class RunHold: Sendable {
  private let run: Locked<Run?>

  init(_ run: Run) {
    run.opened()
    self.run = Locked(run)
  }

  deinit {
    // The code that released the last reference may hold a lock, so the run settles on another thread.
    guard let run = take() else { return }
    run.runtime.pool.schedule { run.closed() }
  }

  /// Stops keeping the run open. If nothing else keeps it open, it settles on the calling thread. Further calls do
  /// nothing.
  public func release() { take()?.closed() }

  private func take() -> Run? {
    run.withLock { run in
      defer { run = nil }
      return run
    }
  }
}
