public import AsyncPatterns
internal import Synchronization
public import Tracing

/// Shows a run among the spans of the program, as a child of the current span, in any tracer.
///
/// ```swift
/// try await withSpan("request") { span in
///   let runtime = LiveRuntime.shared.tracing(to: TracerSink())
///   Run(step, on: runtime) { result in … }
/// }
/// ```
///
/// A `TimingTracer` records the run with everything that a trace contains. Any other tracer gets a span for each step
/// that starts, from its start to its end:
///
/// - The pattern, outcome, lane, work, blocked time and lateness of the end are attributes (`step.…`).
/// - Edges that lead to the step are links with an attribute `edge.kind`.
/// - Marks, and intervals in which a thread was blocked or the step waited for its lane, are events.
/// - A failed step has the status `error`. A cancelled step has no status.
/// - Counters are not sent, and steps that never start are not sent.
///
/// Make one sink for each run, because the steps of different runs have the same numbers. The tracer is called on the
/// thread of the event, and without a lock. Events that the tracer itself causes are not sent, so a tracer that is
/// built on this library does not trace itself.
public final class TracerSink: TraceSink {
  private let target: Target
  private let next: (any TraceSink)?
  private let placeCount = Atomic<UInt32>(0)

  private enum Target {
    case none
    case trace(RunInTrace)
    case tracer(SpanSender)
  }

  @TaskLocal private static var isSending = false

  /// Makes a sink. Returns nil if there is no tracer and no other sink, because a runtime without a trace has the
  /// lowest cost.
  ///
  /// - Parameters:
  ///   - tracer: the receiving tracer; nil means the installed one.
  ///   - context: the context that contains the parent of the run.
  ///   - clock: the clock of the runtime.
  ///   - start: the time of day at which a virtual clock starts, in nanoseconds since 1970; nil means now. The live
  ///     clock uses the time of the machine.
  ///   - next: a sink that gets every event unchanged, unless the tracer already records to it.
  public init?(
    to tracer: (any Tracer)? = nil,
    in context: ServiceContext = .current ?? .topLevel,
    clock: ClockKind = .live, startingAt start: Int64? = nil,
    passingOnTo next: (any TraceSink)? = nil
  ) {
    let tracer = tracer ?? InstrumentationSystem.tracer
    switch tracer {
    case is NoOpTracer:
      guard let next else { return nil }
      target = .none
      self.next = next
    case let tracer as TimingTracer:
      target = .trace(RunInTrace(tracer.sink, in: context))
      self.next = next === tracer.sink ? nil : next
    default:
      let wall =
        clock == .virtual
        ? WallClock(startingAt: start ?? WallClock.now) : WallClock(LiveRuntime.shared)
      target = .tracer(SpanSender(tracer, in: context, by: wall))
      self.next = next
    }
  }

  public func record(_ event: consuming TraceEvent) {
    switch target {
    case .none: break
    case .trace(let run): run.record(event)
    case .tracer(let sender):
      if !Self.isSending { Self.$isSending.withValue(true) { sender.send(event) } }
    }
    next?.record(event)
  }

  public func nextSpan() -> AsyncPatterns.Span {
    // The next sink gets the events unchanged, so this must be a span that it has not used before.
    let span = next?.nextSpan() ?? .none
    if span != .none { return span }
    if case .none = target { return .none }
    return .outsideRuns(placeCount.add(1, ordering: .relaxed).newValue)
  }

  /// The context in which new spans are children of a step of the run. If the step has not started, it is the context
  /// of the whole run.
  public func context(of span: AsyncPatterns.Span) -> ServiceContext? {
    switch target {
    case .none: nil
    case .trace(let run): run.context(of: span)
    case .tracer(let sender): sender.context(of: span)
    }
  }

  /// Ends the spans of steps that have not completed, with the outcome `unfinished`. Call it when the run is abandoned.
  /// Later events of these steps are not sent. With a `TimingTracer` it does nothing.
  public func endOpenSpans() {
    if case .tracer(let sender) = target {
      Self.$isSending.withValue(true) { sender.endOpenSpans() }
    }
  }
}

extension Scope {
  /// The context in which new spans become children of the step, if a `TracerSink` traces the run. Otherwise the
  /// current context.
  ///
  /// ```swift
  /// Step("load") { input, scope in
  ///   try await withSpan("query", context: scope.serviceContext) { span in … }
  /// }
  /// ```
  ///
  /// A step runs on a worker, which does not inherit the context of the code that started the run.
  public var serviceContext: ServiceContext {
    (runtime.trace as? TracerSink)?.context(of: span) ?? .current ?? .topLevel
  }
}
