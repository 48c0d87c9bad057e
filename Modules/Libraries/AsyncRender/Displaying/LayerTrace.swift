internal import AsyncRuntime

/// Records a layer in the trace of its runtime. The layer is recorded as a span, and its displays as children of that
/// span. Marks record when each display was announced and ended.
///
/// The lint rules `missing-did-display` and `wasted-drawing` use the roles of these marks.
struct LayerTrace: Sendable {
  let runtime: any Runtime
  private let trace: any TraceSink
  /// The span of the layer, the parent of its displays.
  let span: Span

  /// Nil if nothing is recorded.
  init?(_ label: String, of renderer: Renderer) {
    let runtime = renderer.runtime
    guard renderer.isTraced, let trace = runtime.trace else { return nil }
    span = trace.nextSpan()
    guard span != .none else { return nil }
    (self.runtime, self.trace) = (runtime, trace)
    trace.record(
      .submitted(
        span, in: LaneContext.current.span, label: label, kind: "layer", role: .place,
        at: runtime.now))
  }

  /// Records a request for a display.
  func asked() { mark("asked", role: .displayAsked) }

  /// Records the start of a display, with the span of the calling code as its cause.
  func begin(_ number: UInt64) -> DisplayTrace? {
    let display = trace.nextSpan()
    guard display != .none else { return nil }
    let label = "draw-\(number)"
    let asker = LaneContext.current.span
    trace.record(
      .submitted(
        display, in: span, label: label, kind: "draw", by: asker == span ? .none : asker,
        at: runtime.now))
    mark("will-display", label, role: .displayBegan)
    return DisplayTrace(layer: self, span: display, label: label)
  }

  fileprivate func mark(_ name: String, _ detail: String = "", role: TraceEvent.Role) {
    trace.record(.mark(name, detail, role: role, of: span, at: runtime.now))
  }

  fileprivate func count(_ name: String, _ value: Double) {
    trace.record(.counter(name, value, of: span, at: runtime.now))
  }

  fileprivate func record(_ event: TraceEvent) { trace.record(event) }
}

/// Records one display in the trace.
struct DisplayTrace: Sendable {
  fileprivate let layer: LayerTrace
  /// The span of the display.
  let span: Span
  fileprivate let label: String

  /// How the display ended.
  enum End: Sendable {
    case finished, cancelled, failed

    fileprivate var role: TraceEvent.Role {
      switch self {
      case .finished: .displayFinished
      case .cancelled: .displayCancelled
      case .failed: .displayFailed
      }
    }
  }

  /// Records that the calling thread starts to draw.
  func started() {
    layer.record(
      .started(span, because: LaneContext.current.cause(for: span), at: layer.runtime.now))
  }

  /// Records the end of the drawing.
  ///
  /// - Parameter outcome: nil if it was cancelled.
  func drew(_ outcome: Result<Void, DrawingError>?) {
    let now = layer.runtime.now
    switch outcome {
    case nil: layer.record(.finished(span, .cancelled, at: now))
    case .success?: layer.record(.finished(span, .success, at: now))
    case .failure(let error)?:
      layer.record(.finished(span, .failure, reason: "\(error)", at: now))
    }
  }

  /// Records the end of the display, before `didDisplay` is called.
  ///
  /// - Parameter metrics: those of the layer, including this display.
  func ended(_ end: End, _ metrics: DisplayMetrics) {
    layer.mark("did-display", label, role: end.role)
    switch end {
    case .finished: layer.count("shown", Double(metrics.drawn + metrics.cleared))
    case .cancelled: layer.count("cancelled", Double(metrics.cancelled))
    case .failed: layer.count("failed", Double(metrics.failed))
    }
    if metrics.wastedTime > .zero {
      layer.count("wasted ms", metrics.wastedTime / .milliseconds(1))
    }
  }
}
