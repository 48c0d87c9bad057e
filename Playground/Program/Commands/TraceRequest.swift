import PlaygroundLanguage
import TimingTrace

/// What somebody asked of a trace.
struct TraceRequest: Sendable {
  var action: TraceSubcommand
  /// A number, a name or a pattern: the run that is meant; all there are if nil.
  var run: String?
  /// A label or a path: the step that is meant.
  var step: String?
  /// Whether to draw lanes instead of steps.
  var showsLanes = false
  /// Whether to draw a run while it goes on.
  var follows = false
  var format: ExportFormat?
  /// Where to write.
  var output: String?

  init(_ action: TraceSubcommand) { self.action = action }
}

extension [SavedRun] {
  /// How many are named where one is not found.
  private static var mostNamed: Int { 8 }

  /// The one of that number, or those of that name, or else of that pattern.
  ///
  /// - Parameter place: where they are, for the error.
  func chosen(_ written: String, in place: String) throws -> [SavedRun] {
    if let number = Int(written), indices.contains(number - 1) { return [self[number - 1]] }
    let named = filter { $0.name == written }
    if !named.isEmpty { return named }
    let ofPattern = filter { $0.record.pattern == written }
    if !ofPattern.isEmpty { return ofPattern }
    let listed = zip(1..., self).prefix(Self.mostNamed).map { "\($0): \($1.name.shortened)" }
    let more = count > listed.count ? " … and \(count - listed.count) more" : ""
    throw CommandError(
      "there is no run “\(written)” in \(place)",
      hint: isEmpty ? "there is none at all" : "there are " + listed.joined(separator: ", ") + more)
  }
}

extension String {
  /// As much of it as tells it from others in a list.
  fileprivate var shortened: String { count > 48 ? prefix(47) + "…" : self }
}
