public import AsyncPatterns
public import Tracing

/// Records a program's own spans into a trace, so that everything that shows, measures and exports runs
/// does so with them.
///
/// ```swift
/// let recorder = Recorder(clock: .live)
/// InstrumentationSystem.bootstrap(TimingTracer(recorder))
/// // … withSpan("request") { … }, anywhere in the program …
/// print(Timeline(ProgramTrace(recorder, name: "server").record).render())
/// ```
///
/// A span is a step: its kind (`server`, `client`, `internal` …) stands where a step has its pattern, its parent
/// is the span of the context it is started with, its lane the thread that started it. How it ends is its
/// status: `error` is a failure, with the message or else the last error recorded, and cancelled if that was a
/// `CancellationError`. Links are edges: `dependency`, unless an attribute `edge.kind` names another kind. Events, errors
/// and attributes are marks. A span that is never ended stays unfinished. A span that is released without an end fails,
/// which is a misuse, and so is a second end.
///
/// Nothing is kept but what the sink keeps, and no lock is held while it is told. It carries nothing from
/// process to process: what `inject` and `extract` are given stays as it is.
public struct TimingTracer: Tracer {
  public typealias Span = TimingSpan

  /// Where the spans are recorded.
  public let sink: any TraceSink
  let clock: WallClock

  /// - Parameters:
  ///   - sink: a `Recorder`, or another that has places outside runs (`nextSpan()`); from one without, the
  ///     spans record nothing.
  ///   - runtime: by whose clock times are told: that of the runs which the sink is told of.
  public init(_ sink: any TraceSink, runtime: any Runtime = LiveRuntime.shared) {
    self.sink = sink
    clock = WallClock(runtime)
  }

  /// Starts a span, as a part of that in `context` if this tracer's sink knows that. One that is said to start
  /// before its parent starts right after it.
  ///
  /// - Complexity: O(1).
  public func startSpan<Moment: TracerInstant>(
    _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
    at instant: @autoclosure () -> Moment, function: String, file fileID: String, line: UInt
  ) -> TimingSpan {
    var context = context()
    let place = sink.nextSpan()
    guard place != .none else { return TimingSpan(context: context, storage: nil) }
    let parent = context.tracePlace.flatMap { $0.sink === sink ? $0 : nil }
    var start = clock.instant(instant)
    if let parent, start <= parent.start { start = parent.start.advanced(by: .nanoseconds(1)) }
    sink.record(
      .submitted(
        place, in: parent?.span ?? .none, label: operationName, kind: kind.word, at: start))
    sink.record(.started(place, at: start))
    let storage = SpanStorage(operationName, place, in: sink, by: clock, from: start)
    context.tracePlace = TracePlace(sink: sink, span: place, start: start, storage: storage)
    return TimingSpan(context: context, storage: storage)
  }

  /// The span of a context, if it is one of this tracer and has not ended.
  public func activeSpan(identifiedBy context: ServiceContext) -> TimingSpan? {
    guard let place = context.tracePlace, place.sink === sink, let storage = place.storage,
      storage.isOpen
    else { return nil }
    return TimingSpan(context: context, storage: storage)
  }

  /// Does nothing: what is recorded is there at once.
  public func forceFlush() {}

  public func inject<Carrier, Inject: Injector>(
    _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
  ) where Inject.Carrier == Carrier {}

  public func extract<Carrier, Extract: Extractor>(
    _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
  ) where Extract.Carrier == Carrier {}
}

extension SpanKind {
  /// What stands for it where a step has its pattern.
  var word: String {
    switch self {
    case .server: "server"
    case .client: "client"
    case .producer: "producer"
    case .consumer: "consumer"
    case .internal: "internal"
    }
  }

  static let words: Set<String> = ["server", "client", "producer", "consumer", "internal"]
}
