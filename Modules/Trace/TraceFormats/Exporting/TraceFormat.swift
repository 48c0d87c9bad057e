internal import TraceBasics

/// A format in which runs are exported for other programs, or for people.
public enum TraceFormat: String, Sendable, Hashable, CaseIterable {
  /// Chrome's trace events, for Perfetto (ui.perfetto.dev) and `chrome://tracing`.
  case chrome
  /// The same, with file names that speedscope (speedscope.app) opens.
  case speedscope
  /// OpenTelemetry's protocol in JSON, for collectors and the tools behind them.
  case otlp
  /// Graphviz' language: the steps with the edges between them.
  case dot
  /// The same as a flow chart for Mermaid, which Markdown renderers draw.
  case mermaid
  /// A table of the steps, comma-separated.
  case csv
  /// A picture of the timelines that fits on a slide.
  case svg
  /// One self-contained page for a browser, which also works without a network.
  case html

  /// The format that belongs to a file's extension, in upper or lower case. Nil if no format has the extension, or if
  /// several formats share it, as they share `.json`.
  public init?(fileName: String) {
    let name = fileName.lowercased()
    let known = TraceFormat.allCases.first { format in
      format.endings.contains { name.hasSuffix($0) }
    }
    guard let known else { return nil }
    self = known
  }

  /// The file extensions that identify the format.
  public var endings: [String] {
    switch self {
    case .chrome: [".chrome.json", ".trace.json", ".perfetto.json"]
    case .speedscope: [".speedscope.json", ".speedscope"]
    case .otlp: [".otlp.json", ".otlp"]
    case .dot: [".dot", ".gv"]
    case .mermaid: [".mmd", ".mermaid"]
    case .csv: [".csv"]
    case .svg: [".svg"]
    case .html: [".html", ".htm"]
    }
  }

  /// Whether it is one JSON document, in which line breaks have no meaning.
  public var isJSON: Bool {
    switch self {
    case .chrome, .speedscope, .otlp: true
    case .dot, .mermaid, .csv, .svg, .html: false
    }
  }

  /// The runs in this format.
  ///
  /// - Parameters:
  ///   - start: when each run started, in nanoseconds since 1970, for the formats that need it. Runs do not store the
  ///     time of day.
  ///   - machine: the machine that made the runs, for the formats that store it.
  /// - Complexity: O(n log n) in the number of events.
  public func text(
    of runs: [SavedRun], startingAt start: Int64 = 0, madeOn machine: Machine = .current
  ) -> String {
    var output = TextOutput()
    write(SavedRuns(machine: machine, runs: runs), startingAt: start, to: &output)
    return output.text
  }

  /// Writes the runs in this format piece by piece, so that the whole text is never in memory.
  ///
  /// - Parameters:
  ///   - start: when each run started, in nanoseconds since 1970, for the formats that need it.
  ///   - machine: the machine that made the runs, for the formats that store it.
  ///   - sink: receives the pieces, in order, on the calling thread.
  /// - Throws: the error that the sink throws. The sink is not called again after that.
  /// - Complexity: O(n log n) in the number of events.
  public func write(
    _ runs: [SavedRun], startingAt start: Int64 = 0, madeOn machine: Machine = .current,
    to sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try withoutActuallyEscaping(sink) { sink in
      var output = TextOutput(to: sink)
      write(SavedRuns(machine: machine, runs: runs), startingAt: start, to: &output)
      try output.finish()
    }
  }

  /// Writes the runs in this format to a file, and replaces any existing file. A reader sees either the old file or the
  /// new one.
  ///
  /// - Throws: an error that names the file and the system's reason.
  public func write(
    _ runs: [SavedRun], startingAt start: Int64 = 0, madeOn machine: Machine = .current,
    toFile path: String
  ) throws(SavedRunsError) {
    let saved = SavedRuns(machine: machine, runs: runs)
    try SavedRuns.replace(path) { write(saved, startingAt: start, to: &$0) }
  }

  private func write(_ saved: SavedRuns, startingAt start: Int64, to output: inout TextOutput) {
    let runs = saved.runs
    switch self {
    case .chrome, .speedscope:
      output.json { ChromeTrace.write(saved, to: &$0) }
      output.endPiece()
    case .otlp:
      output.json { OTLPTrace.write(runs, startingAt: start, to: &$0) }
      output.endPiece()
    case .dot: DOTGraph.write(runs, to: &output)
    case .mermaid: MermaidGraph.write(runs, to: &output)
    case .csv: CSVTable.write(runs, to: &output)
    case .svg: SVGPicture.write(runs, to: &output)
    case .html: HTMLReport(runs: runs).write(to: &output)
    }
  }
}
