internal import AsyncPatterns
internal import Tracing

/// Records a run to a shared sink. Each span of the run is recorded as a new span outside runs.
final class RunInTrace: Sendable {
  private let sink: any TraceSink
  private let outer: ServiceContext
  private let parent: TracePlace?
  private let places = Locked<[AsyncPatterns.Span: Place]>([:])

  private struct Place: Sendable {
    var span: AsyncPatterns.Span
    var start: AsyncPatterns.Instant
  }

  /// - Parameter context: the context that contains the parent of the run, if the sink knows it.
  init(_ sink: any TraceSink, in context: ServiceContext) {
    self.sink = sink
    outer = context
    parent = context.tracePlace.flatMap { $0.sink === sink ? $0 : nil }
  }

  func record(_ event: TraceEvent) {
    var event = event
    if event.kind == .submitted { submit(event) }
    event.parent =
      event.kind == .submitted && event.parent == .none
      ? parent?.span ?? .none : place(of: event.parent)
    event.cause = Cause(event.cause.kind, place(of: event.cause.span))
    event.after = Cause(event.after.kind, place(of: event.after.span))
    event.span = place(of: event.span)
    sink.record(event)
  }

  func context(of span: AsyncPatterns.Span) -> ServiceContext {
    guard let place = places.withLock({ $0[span] }) else { return outer }
    var context = outer
    context.tracePlace = TracePlace(
      sink: sink, span: place.span, start: place.start, storage: nil)
    return context
  }

  private func submit(_ event: TraceEvent) {
    // Call the sink outside the lock, because it is foreign code.
    let place = Place(span: sink.nextSpan(), start: event.time)
    places.withLock { places in
      if places[event.span] == nil { places[event.span] = place }
    }
  }

  private func place(of span: AsyncPatterns.Span) -> AsyncPatterns.Span {
    span == .none ? .none : places.withLock { $0[span]?.span } ?? .none
  }
}
