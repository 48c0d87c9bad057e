internal import AsyncPatterns
internal import Tracing

/// Where in a trace something stands, as a context carries it.
struct TracePlace: Sendable {
  let sink: any TraceSink
  let span: AsyncPatterns.Span
  /// When it started: what is a part of it starts later.
  let start: AsyncPatterns.Instant
  /// Nil for a step of a run.
  let storage: SpanStorage?
}

extension ServiceContext {
  private enum PlaceKey: ServiceContextKey {
    typealias Value = TracePlace
    static let nameOverride: String? = "timing-trace-place"
  }

  /// The innermost span or step that a trace of this library knows.
  var tracePlace: TracePlace? {
    get { self[PlaceKey.self] }
    set { self[PlaceKey.self] = newValue }
  }
}
