internal import AsyncPatterns
internal import TimingTrace
public import Tracing

/// A span of a program, recorded by a `TimingTracer`. Copies are the same span.
public struct TimingSpan: Tracing.Span {
  public let context: ServiceContext
  /// The shared state, or nil if the span is not recorded.
  let storage: SpanStorage?

  /// Whether the span is recorded and has not ended.
  public var isRecording: Bool { storage?.isOpen ?? false }

  /// The name of the span. A new name applies to the whole span.
  public var operationName: String {
    get { storage?.state.withLock { $0.name } ?? "" }
    nonmutating set { storage?.rename(newValue) }
  }

  /// The attributes of the span. They are recorded when it ends.
  public var attributes: SpanAttributes {
    get { storage?.state.withLock { $0.attributes } ?? [:] }
    nonmutating set { storage?.update { $0.attributes = newValue } }
  }

  /// Sets the status with which the span will end. A later call replaces it.
  public func setStatus(_ status: SpanStatus) { storage?.update { $0.status = status } }

  /// Records an event as a mark.
  public func addEvent(_ event: SpanEvent) {
    guard let storage, storage.isOpen else { return }
    let time = storage.clock.instant(at: Int64(clamping: event.nanosecondsSinceEpoch))
    storage.mark("event.\(event.name)", event.attributes.text, at: time)
  }

  /// Records an error as a mark. The status of the span decides whether it fails.
  public func recordError<Moment: TracerInstant>(
    _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Moment
  ) {
    guard let storage, storage.update({ $0.error = error }) else { return }
    let details = attributes.isEmpty ? "" : " \(attributes.text)"
    storage.mark("error", "\(error)\(details)", at: storage.clock.instant(instant))
  }

  /// Records that this span awaited another one, if both are in the same trace.
  public func addLink(_ link: SpanLink) {
    guard let storage, storage.isOpen, let source = link.context.tracePlace,
      source.sink === storage.sink
    else { return }
    let kind = link.attributes.string(EdgeRecord.attribute).flatMap(EdgeRecord.Kind.init(rawValue:))
    storage.sink.record(
      .awaited(
        storage.span, Cause((kind ?? .dependency).cause, source.span),
        at: storage.clock.runtime.now))
  }

  /// Ends the span. A second call has no effect and is recorded as misuse.
  public func end<Moment: TracerInstant>(at instant: @autoclosure () -> Moment) {
    storage?.end(at: instant)
  }
}

/// The state that all copies of a span share.
final class SpanStorage: Sendable {
  let sink: any TraceSink
  let clock: WallClock
  let span: AsyncPatterns.Span
  let start: AsyncPatterns.Instant
  let state: Locked<State>

  struct State: Sendable {
    var name: String
    var attributes: SpanAttributes = [:]
    var status: SpanStatus?
    var error: (any Error)?
    var isOpen = true

    var outcome: TraceEvent.Outcome {
      guard status?.code == .error else { return .success }
      return error is CancellationError ? .cancelled : .failure
    }

    /// Why the span failed, or empty if it did not fail.
    var reason: String {
      guard outcome == .failure else { return "" }
      return status?.message ?? error.map { "\($0)" } ?? "its status is an error"
    }
  }

  init(
    _ name: String, _ span: AsyncPatterns.Span, in sink: any TraceSink, by clock: WallClock,
    from start: AsyncPatterns.Instant
  ) {
    self.sink = sink
    self.clock = clock
    self.span = span
    self.start = start
    state = Locked(State(name: name))
  }

  deinit {
    let last = state.withLock { $0 }
    guard last.isOpen else { return }
    let now = max(clock.runtime.now, start)
    sink.record(
      .misuse(
        "completion-dropped",
        "“\(last.name)” was released before its end; end it on every path, or use withSpan, which does",
        of: span, at: now))
    sink.record(.finished(span, .failure, reason: "released before its end", at: now))
  }

  var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Changes the state unless the span has ended. Returns whether it was changed.
  @discardableResult
  func update(_ change: (inout State) -> Void) -> Bool {
    // A copy keeps the old values until the lock is released. Releasing them may run foreign code, which must not run
    // under the lock.
    var dropped: State?
    let isOpen = state.withLock { state -> Bool in
      guard state.isOpen else { return false }
      dropped = state
      change(&state)
      return true
    }
    withExtendedLifetime(dropped) {}
    return isOpen
  }

  func rename(_ name: String) {
    if update({ $0.name = name }) { mark(ProgramTrace.renamed, name, at: clock.runtime.now) }
  }

  func mark(_ name: String, _ detail: String, at time: AsyncPatterns.Instant) {
    // An event of the span must not precede the start of the span, whichever clock gives the time.
    sink.record(.mark(name, detail, of: span, at: max(time, start)))
  }

  func end(at instant: () -> some TracerInstant) {
    let time = max(clock.instant(instant), start)
    let last = state.withLock { state -> State? in
      guard state.isOpen else { return nil }
      state.isOpen = false
      return state
    }
    guard let last else {
      let name = state.withLock { $0.name }
      sink.record(
        .misuse(
          "completed-twice",
          "“\(name)” was ended again, which has no effect; end it once, or use withSpan, which does",
          of: span, at: time))
      return
    }
    if !last.attributes.isEmpty { mark("attributes", last.attributes.text, at: time) }
    sink.record(.finished(span, last.outcome, reason: last.reason, at: time))
  }
}
