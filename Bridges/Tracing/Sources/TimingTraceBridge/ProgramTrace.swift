public import AsyncPatterns
public import TimingTrace
internal import Tracing

/// A trace of the spans of a program, as a run whose steps are the spans.
///
/// ```swift
/// let trace = ProgramTrace(recorder, name: "server")
/// print(Timeline(trace.record).render())
/// try TraceFormat.otlp.write([trace.run], startingAt: trace.start, toFile: "server.otlp.json")
/// ```
///
/// The program is the step at the top, in place of a pattern. Its children are the spans without a parent, and the runs
/// without a parent that were recorded to the same sink. A renamed span has its new name.
///
/// The spans of a program do not record what they waited for, so the trace infers it. A span that starts after siblings
/// have ended depends on the last of them to end. A span ends after its children. The critical path follows these
/// dependencies, and the record says that causes were inferred. Links are certain, and so are the causes in the runs of
/// this library.
public struct ProgramTrace: Sendable {
  public let record: RunRecord
  /// The recorded events, with events for the program itself and the inferred causes.
  public let events: [TraceEvent]
  /// The start of the program, in nanoseconds since 1970, for exports. It is 0 on a virtual clock.
  public let start: Int64

  /// Makes a trace of the events recorded so far.
  ///
  /// - Parameters:
  ///   - name: the name of the program or of its activity.
  ///   - clock: the clock of the tracer's runtime.
  /// - Complexity: O(n log n) in the number of events.
  public init(_ recorder: Recorder, name: String = "program", clock: ClockKind = .live) {
    let recorded = recorder.snapshot()
    self.init(events: recorded, name: name, clock: clock, dropped: recorder.dropped)
  }

  /// - Parameters:
  ///   - recorded: the events in time order, as `Recorder.snapshot()` returns them.
  ///   - dropped: the number of events that the recorder discarded because it was full.
  public init(
    events recorded: [TraceEvent], name: String = "program", clock: ClockKind = .live,
    dropped: Int = 0
  ) {
    var assembly = ProgramAssembly(recorded, name: name)
    for event in recorded { assembly.add(event) }
    assembly.end()
    events = assembly.events
    start =
      clock == .virtual
      ? 0
      : recorded.first.map {
        Int64(
          clamping: WallClock(LiveRuntime.shared).timestamp(of: $0.time).nanosecondsSinceEpoch)
      } ?? 0
    var record = RunRecord(
      events: assembly.events, name: name, clock: clock,
      outcome: assembly.hasEnded ? .success : .unfinished, dropped: dropped)
    record.causesAreInferred = assembly.hasSpans
    self.record = record
  }

  /// The trace as a run that can be saved and exported.
  public var run: SavedRun {
    SavedRun(
      name: record.name, source: record.name, composition: record.name, record: record,
      events: events)
  }

  /// The name of the mark that records a new name of a span.
  static let renamed = "renamed"
}

/// Combines the events of a program into a run.
private struct ProgramAssembly {
  private(set) var events: [TraceEvent] = []
  private var open: Set<AsyncPatterns.Span> = []
  private var names: [AsyncPatterns.Span: String] = [:]
  /// The parent of each span. A span without a parent gets the span of the program.
  private var parents: [AsyncPatterns.Span: AsyncPatterns.Span] = [:]
  private var spansOfProgram: Set<AsyncPatterns.Span> = []
  /// For each parent, the child span that ended last. Steps of runs do not count.
  private var lastEnded: [AsyncPatterns.Span: AsyncPatterns.Span] = [:]
  /// The links of spans. They are recorded after the start of the span.
  private var links: [AsyncPatterns.Span: [Cause]] = [:]
  /// For each span, the sources of its links that did not exist when the span started.
  private var laterSources: [AsyncPatterns.Span: Set<AsyncPatterns.Span>] = [:]
  /// Spans that ended before the last of their children.
  private var outlived: Set<AsyncPatterns.Span> = []

  /// This number is free, because sinks number their spans from 1.
  private static let program = AsyncPatterns.Span.outsideRuns(0)

  var hasEnded: Bool { open.isEmpty }
  var hasSpans: Bool { !spansOfProgram.isEmpty }

  init(_ recorded: [TraceEvent], name: String) {
    events.reserveCapacity(recorded.count + recorded.count / 8 + 3)
    lookAhead(recorded)
    guard let first = recorded.first else { return }
    append(
      .submitted(Self.program, in: .none, label: name, kind: "program", at: first.time), like: first
    )
    append(.started(Self.program, at: first.time), like: first)
  }

  /// Collects the facts that apply to a whole span, but are recorded after its start.
  private mutating func lookAhead(_ recorded: [TraceEvent]) {
    var parents: [AsyncPatterns.Span: AsyncPatterns.Span] = [:]
    var started: Set<AsyncPatterns.Span> = []
    var finished: Set<AsyncPatterns.Span> = []
    for event in recorded {
      switch event.kind {
      case .submitted: parents[event.span] = event.parent
      case .started: started.insert(event.span)
      case .awaited where started.contains(event.span):
        links[event.span, default: []].append(event.cause)
      case .finished:
        finished.insert(event.span)
        if let parent = parents[event.span], finished.contains(parent) { outlived.insert(parent) }
      case .mark where event.name == ProgramTrace.renamed: names[event.span] = event.detail
      default: break
      }
    }
    for (span, parent) in parents where !finished.contains(span) { outlived.insert(parent) }
  }

  mutating func add(_ event: TraceEvent) {
    switch event.kind {
    case .submitted: submit(event)
    case .awaited where open.contains(event.span): addLate(event)
    case .started:
      open.insert(event.span)
      for cause in links[event.span] ?? [] {
        if parents[cause.span] == nil {
          laterSources[event.span, default: []].insert(cause.span)
        } else {
          append(.awaited(event.span, cause, at: event.time), like: event)
        }
      }
      events.append(event)
    case .finished:
      open.remove(event.span)
      finish(event)
    default: events.append(event)
    }
  }

  private mutating func submit(_ event: TraceEvent) {
    var event = event
    guard parents[event.span] == nil else { return events.append(event) }
    if parents[event.parent] == nil { event.parent = Self.program }
    parents[event.span] = event.parent
    if let name = names[event.span] { event.name = name }
    if let asker = links[event.span]?.first(where: { $0.kind == .parent }) { event.cause = asker }
    events.append(event)
    guard SpanKind.words.contains(event.detail) else { return }
    spansOfProgram.insert(event.span)
    guard let previous = lastEnded[event.parent] else { return }
    append(.awaited(event.span, Cause(.end, previous), at: event.time), like: event)
  }

  /// Adds a link whose source did not exist when the linking span started. So the linking span awaited the source
  /// later.
  private mutating func addLate(_ event: TraceEvent) {
    guard laterSources[event.span]?.contains(event.cause.span) == true else { return }
    append(
      .resumed(event.span, because: Cause(.wakeUp, event.cause.span), at: event.time), like: event)
  }

  private mutating func finish(_ event: TraceEvent) {
    var event = event
    if spansOfProgram.contains(event.span) {
      event.awaitsAll = !outlived.contains(event.span)
      if let parent = parents[event.span] { lastEnded[parent] = event.span }
    }
    events.append(event)
  }

  mutating func end() {
    guard hasEnded, let last = events.last else { return }
    append(.finished(Self.program, .success, awaitsAll: true, at: last.time), like: last)
  }

  /// Appends an event on the lane of another event, because the lane of the calling thread is unrelated to the program.
  private mutating func append(_ event: TraceEvent, like other: TraceEvent) {
    var event = event
    event.lane = other.lane
    events.append(event)
  }
}
