internal import AsyncPatterns
internal import Tracing

/// A place in a trace that a context carries: a span or a step.
struct TracePlace: Sendable {
  let sink: any TraceSink
  let span: AsyncPatterns.Span
  /// The start of the span or step. Its children start later.
  let start: AsyncPatterns.Instant
  /// The state of a span, or nil for a step of a run.
  let storage: SpanStorage?
}

extension ServiceContext {
  private enum PlaceKey: ServiceContextKey {
    typealias Value = TracePlace
    static let nameOverride: String? = "timing-trace-place"
  }

  /// The innermost span or step in a trace of this library.
  var tracePlace: TracePlace? {
    get { self[PlaceKey.self] }
    set { self[PlaceKey.self] = newValue }
  }
}
