import AsyncRuntime

/// Records a chain as a span below the span that made it. The span runs while a handler of the
/// chain's links runs.
///
/// The span ends when all promises of the chain are settled, with the outcome of the last one. A
/// chain is recorded only if the runtime has a trace.
final class ChainTrace: Sendable {
  let span: Span
  private let sink: any TraceSink
  private let runtime: any Runtime
  private let state = Locked(State())

  /// How a promise was settled.
  enum Outcome: Sendable {
    case success
    case failure(any Error)
    case cancelled
  }

  private struct State {
    /// The number of promises that are not settled.
    var pending = 1
    /// The number of handlers that are running.
    var running = 0
    var isStarted = false
    /// The outcome of the promise that was settled last. Nil if only observers have been settled so far.
    var last: Outcome?
  }

  /// The state of the chain immediately after one of its promises was settled.
  private struct Change: Sendable {
    let isFinished: Bool
    let running: Int
    let isStarted: Bool
    let last: Outcome?

    init(_ state: State) {
      isFinished = state.pending == 0
      running = state.running
      isStarted = state.isStarted
      last = state.last
    }
  }

  /// Records a chain that begins with the promise made at `site`. Nil if there is no trace.
  init?(_ site: Site, on runtime: any Runtime) {
    guard let sink = runtime.trace else { return nil }
    span = sink.nextSpan()
    guard span != .none else { return nil }
    (self.sink, self.runtime) = (sink, runtime)
    sink.record(
      .submitted(
        span, in: LaneContext.current.span, label: site.shortDescription, kind: "promise",
        role: .chain, at: runtime.now))
    mark("made", site)
  }

  /// Records `name` as the name of the chain.
  func name(_ name: String) {
    sink.record(.mark("named", name, role: .spanName, of: span, at: runtime.now))
  }

  // MARK: The promises of the chain

  /// Adds one more promise to the chain.
  ///
  /// - Returns: false if the chain has ended.
  func join() -> Bool {
    state.withLock { state in
      if state.pending == 0 { return false }
      state.pending += 1
      return true
    }
  }

  /// Records that a promise of the chain is settled. The recorded cause is the one for which the
  /// calling thread runs code of the chain.
  ///
  /// - Parameters:
  ///   - canceller: the cause of a cancellation that came from outside the chain.
  ///   - counts: whether the promise's outcome can become that of the chain.
  func leave(_ outcome: Outcome, canceller: Cause? = nil, counts: Bool) {
    let lane = LaneContext.current
    // The previous outcome may hold an error of the user's, so it is released after unlocking.
    let (change, replaced) = state.withLock { state in
      let replaced = state.last
      if counts { state.last = outcome }
      state.pending -= 1
      return (Change(state), replaced)
    }
    withExtendedLifetime(replaced) {}
    let cause = lane.cause(for: span)
    if change.isFinished {
      end(change.last ?? outcome, because: cause, canceller, wasStarted: change.isStarted)
    } else if change.running == 0, cause.kind == .timer {
      // The timer has recorded that the chain resumed.
      sink.record(.suspended(span, for: "its next link", at: runtime.now))
    }
  }

  private func end(
    _ outcome: Outcome, because cause: Cause, _ canceller: Cause?, wasStarted: Bool
  ) {
    let now = runtime.now
    if !wasStarted { sink.record(.started(span, because: cause, at: now)) }
    switch outcome {
    case .success: sink.record(.finished(span, .success, because: cause, at: now))
    case .failure(let error):
      sink.record(
        .finished(
          span, .failure, because: cause, reason: String(describing: error),
          hasTimedOut: cause.kind == .timer && error is TimedOut, at: now))
    case .cancelled:
      sink.record(.finished(span, .cancelled, because: canceller ?? cause, at: now))
    }
  }

  /// The cause to record in another chain when a promise of this chain has resumed that chain.
  var causeForOthers: Cause {
    let isFinished = state.withLock { $0.pending == 0 }
    return Cause(isFinished ? .end : .wakeUp, span)
  }

  // MARK: The code of the chain

  /// Runs `body`, which is the beginning of the chain, on behalf of the chain.
  ///
  /// - Parameter dependency: what the chain waits for after `body`, as text.
  func begin(waitingFor dependency: String, _ body: () -> Void) {
    let lane = LaneContext.current
    enter(because: lane.cause(for: span))
    lane.perform(for: span, body)
    leaveCode(waitingFor: dependency)
  }

  /// Runs `body`, the handler of the link that was made at `site`, on behalf of the chain.
  ///
  /// - Parameter dependency: called after `body`. Returns what the chain then waits for, as text.
  func run(
    _ site: Site, in lane: LaneContext, waitingFor dependency: () -> String, _ body: () -> Void
  ) {
    enter(because: lane.cause(for: span))
    mark("link", site)
    lane.perform(for: span, body)
    leaveCode(waitingFor: dependency())
  }

  /// Records that code of the chain starts. It runs until `leaveCode`.
  func enter(because cause: Cause) {
    let (isFirst, isOnly) = state.withLock { state in
      defer {
        state.running += 1
        state.isStarted = true
      }
      return (!state.isStarted, state.running == 0)
    }
    if isFirst {
      sink.record(.started(span, because: cause, at: runtime.now))
    } else if isOnly {
      sink.record(.resumed(span, because: cause, at: runtime.now))
    }
  }

  func leaveCode(waitingFor dependency: String) {
    let waits = state.withLock { state in
      state.running -= 1
      return state.running == 0 && state.pending > 0
    }
    if waits { sink.record(.suspended(span, for: dependency, at: runtime.now)) }
  }

  private func mark(_ name: String, _ site: Site) {
    sink.record(.mark(name, site.description, of: span, at: runtime.now))
  }
}
