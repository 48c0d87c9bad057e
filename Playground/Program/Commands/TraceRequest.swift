import PlaygroundLanguage
import TimingTrace

/// A request to show, check, analyse, export or import a trace.
struct TraceRequest: Sendable {
  var action: TraceSubcommand
  /// The run to use, by its number, name or pattern. If nil, all runs of a file, or the last run of the session.
  var run: String?
  /// The step to use, by its label or path.
  var step: String?
  /// Whether to draw lanes instead of steps.
  var showsLanes = false
  /// Whether to draw a run while it runs.
  var follows = false
  var format: ExportFormat?
  /// The file to write to.
  var output: String?

  init(_ action: TraceSubcommand) { self.action = action }
}

extension [SavedRun] {
  /// How many runs the error lists if the run is not found.
  private static var mostNamed: Int { 8 }

  /// The run of that number; or all runs of that name; or else all runs of that pattern.
  ///
  /// - Parameters:
  ///   - place: where the runs are, for the error.
  ///   - numbers: the numbers of the runs, nil for a run without one. If nil, they are numbered from 1.
  func chosen(
    _ written: String, in place: String, numbers: [Int?]? = nil
  ) throws -> [SavedRun] {
    let numbers: [Int?] = numbers ?? [Int](1..<(count + 1))
    if let number = Int(written), let index = numbers.firstIndex(of: number) {
      return [self[index]]
    }
    let named = filter { $0.name == written }
    if !named.isEmpty { return named }
    let ofPattern = filter { $0.record.pattern == written }
    if !ofPattern.isEmpty { return ofPattern }
    let listed = zip(numbers, self).compactMap { number, run in
      number.map { "\($0): \(run.name.shortened)" }
    }.prefix(Self.mostNamed)
    let more = count > listed.count ? " … and \(count - listed.count) more" : ""
    throw CommandError(
      "there is no run “\(written)” in \(place)",
      hint: isEmpty ? "there are no runs" : "there are " + listed.joined(separator: ", ") + more)
  }
}

extension String {
  /// The string, shortened so that it fits in a list.
  fileprivate var shortened: String { count > 48 ? prefix(47) + "…" : self }
}
