public import AsyncPatterns
internal import Synchronization
public import Tracing

/// Shows a run where the program's spans are: as a part of the current span, in whatever tracer there is.
///
/// ```swift
/// try await withSpan("request") { span in
///   let runtime = LiveRuntime.shared.tracing(to: TracerSink())
///   Run(step, on: runtime) { result in … }
/// }
/// ```
///
/// A `TimingTracer` records the run as it is, with all that a trace has. Any other tracer gets a span for each step
/// that starts, from when it starts to its end: its pattern, outcome, lane, work and blocked time, and for how long its
/// end was late, are attributes (`step.…`), edges that lead to it are links with an attribute `edge.kind`, marks and
/// stretches in which a thread stood parked or the step waited for its lane are events. What failed has the status
/// `error`, what was called off has none. Counters are not sent, nor are steps that never start.
///
/// One for each run: steps are numbered anew in every run. The tracer is called on the thread on which things
/// happen, and under no lock. What happens because the tracer is at it is not sent, so that a tracer that is
/// built on this library does not watch itself.
public final class TracerSink: TraceSink {
  private let target: Target
  private let next: (any TraceSink)?
  private let placeCount = Atomic<UInt32>(0)

  private enum Target {
    case nobody
    case trace(RunInTrace)
    case tracer(SpanSender)
  }

  @TaskLocal private static var isSending = false

  /// Nil if nobody listens, no tracer and no other sink: a runtime without a trace is the cheapest.
  ///
  /// - Parameters:
  ///   - tracer: the one that is installed if nil.
  ///   - context: what the run is a part of.
  ///   - clock: of the runtime.
  ///   - start: at which time of day a virtual clock begins, in nanoseconds since 1970; now if nil. The live
  ///     one tells the machine's.
  ///   - next: gets every event as it is, unless it is what the tracer records to anyway.
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
      target = .nobody
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
    case .nobody: break
    case .trace(let run): run.record(event)
    case .tracer(let sender):
      if !Self.isSending { Self.$isSending.withValue(true) { sender.send(event) } }
    }
    next?.record(event)
  }

  public func nextSpan() -> AsyncPatterns.Span {
    // Whoever takes the events as they are must not have met the place yet.
    let span = next?.nextSpan() ?? .none
    if span != .none { return span }
    if case .nobody = target { return .none }
    return .outsideRuns(placeCount.add(1, ordering: .relaxed).newValue)
  }

  /// The context in which what is started is a part of a step of the run; that of the whole run if the step
  /// has not started.
  public func context(of span: AsyncPatterns.Span) -> ServiceContext? {
    switch target {
    case .nobody: nil
    case .trace(let run): run.context(of: span)
    case .tracer(let sender): sender.context(of: span)
    }
  }

  /// Ends the spans of steps that have not completed, with the outcome `unfinished`: for a run that is
  /// given up. What happens to them later is not sent.
  public func endOpenSpans() {
    if case .tracer(let sender) = target {
      Self.$isSending.withValue(true) { sender.endOpenSpans() }
    }
  }
}

extension Scope {
  /// The context in which spans that a step starts are a part of it, where a `TracerSink` watches the run;
  /// elsewhere the current one.
  ///
  /// ```swift
  /// Step("load") { input, scope in
  ///   try await withSpan("query", context: scope.serviceContext) { span in … }
  /// }
  /// ```
  ///
  /// A step runs on a worker, to which the context of whoever started the run does not come along.
  public var serviceContext: ServiceContext {
    (runtime.trace as? TracerSink)?.context(of: span) ?? .current ?? .topLevel
  }
}
