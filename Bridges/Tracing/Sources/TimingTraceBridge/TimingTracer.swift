public import AsyncPatterns
public import Tracing

/// Records a program's own spans into a trace, so that they can be shown, measured and exported like runs.
///
/// ```swift
/// let recorder = Recorder(clock: .live)
/// InstrumentationSystem.bootstrap(TimingTracer(recorder))
/// // … withSpan("request") { … }, anywhere in the program …
/// print(Timeline(ProgramTrace(recorder, name: "server").record).render())
/// ```
///
/// A span is recorded as a step:
///
/// - Its kind (`server`, `client`, `internal` …) takes the place of the pattern.
/// - Its parent is the span of the context in which it starts.
/// - Its lane is the thread that started it.
/// - Its end follows its status. The status `error` is a failure, with the message or otherwise the last recorded
///   error. If that error was a `CancellationError`, the span is cancelled.
/// - Its links are edges: `dependency`, unless the attribute `edge.kind` names another kind.
/// - Its events, errors and attributes are marks.
///
/// A span that has not ended is unfinished. A span that is released before its end fails, and this is recorded as
/// misuse. So is a second end.
///
/// The tracer stores nothing outside its sink, and calls the sink without holding a lock. It does not propagate context
/// from process to process: `inject` and `extract` do nothing.
public struct TimingTracer: Tracer {
  public typealias Span = TimingSpan

  /// The sink that records the spans.
  public let sink: any TraceSink
  let clock: WallClock

  /// - Parameters:
  ///   - sink: a `Recorder`, or another sink that makes spans outside runs (`nextSpan()`). With any other sink the
  ///     spans record nothing.
  ///   - runtime: the runtime whose clock gives the times. Pass the runtime of the runs that are recorded to the same
  ///     sink.
  public init(_ sink: any TraceSink, runtime: any Runtime = LiveRuntime.shared) {
    self.sink = sink
    clock = WallClock(runtime)
  }

  /// Starts a span. It is a child of the span in `context` if this tracer's sink knows that span. If its start is not
  /// after that of its parent, it starts immediately after the parent.
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

  /// The span of a context, if it belongs to this tracer and has not ended.
  public func activeSpan(identifiedBy context: ServiceContext) -> TimingSpan? {
    guard let place = context.tracePlace, place.sink === sink, let storage = place.storage,
      storage.isOpen
    else { return nil }
    return TimingSpan(context: context, storage: storage)
  }

  /// Does nothing, because everything is recorded immediately.
  public func forceFlush() {}

  public func inject<Carrier, Inject: Injector>(
    _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
  ) where Inject.Carrier == Carrier {}

  public func extract<Carrier, Extract: Extractor>(
    _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
  ) where Extract.Carrier == Carrier {}
}

extension SpanKind {
  /// The word that takes the place of a step's pattern.
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
