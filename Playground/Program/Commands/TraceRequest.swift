import PlaygroundLanguage
import TimingTrace

/// What somebody asked of a trace.
struct TraceRequest: Sendable {
  var action: TraceSubcommand
  /// A label or a path: the step that is meant.
  var step: String?
  /// Whether to draw a run while it goes on.
  var follows = false
  var format: ExportFormat?
  /// Where to write.
  var output: String?

  init(_ action: TraceSubcommand) { self.action = action }
}
