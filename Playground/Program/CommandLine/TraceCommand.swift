import ArgumentParser
import PlaygroundLanguage
import TimingTrace

extension PlaygroundCommand {
  struct Trace: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "trace",
      abstract: "Show or export saved runs, or import another program's trace.",
      discussion: "“playground trace ACTION --help” shows the options of an action.",
      subcommands: [
        Show.self, Follow.self, Analyse.self, Why.self, Lint.self, Export.self, Import.self,
        Unknown.self,
      ], defaultSubcommand: Unknown.self)
    @ParentCommand var parent: PlaygroundCommand
    @OptionGroup var options: Options
  }
}

typealias TraceOrder = (request: TraceRequest, file: String)

/// A subcommand of `trace`.
protocol TraceAction: ParsableCommand {
  var trace: PlaygroundCommand.Trace { get }
  var options: Options { get }
  /// The request, and the file that it is about.
  ///
  /// - Throws: a `CommandError` if something is missing.
  func order() throws -> TraceOrder
}

extension TraceAction {
  /// All options, wherever they stand on the command line.
  var allOptions: Options {
    options.merged(with: trace.options.merged(with: trace.parent.options))
  }
}

extension TraceRequest {
  fileprivate func of(_ file: String?) throws -> TraceOrder {
    guard let file else {
      throw CommandError(
        "“trace \(action.rawValue)” needs a file", hint: "- is standard input")
    }
    return (self, file)
  }
}

/// The file of runs, and which of its runs to use.
struct SavedRunArguments: ParsableArguments {
  @Argument(help: "The saved runs; - is standard input.") var file: String?
  @Option(
    help:
      "The run, by its number in the file, its name or its pattern; by default, all runs."
  )
  var run: String?

  fileprivate func order(
    _ action: TraceSubcommand, _ complete: (inout TraceRequest) throws -> Void = { _ in }
  ) throws -> TraceOrder {
    var request = TraceRequest(action)
    request.run = run
    try complete(&request)
    return try request.of(file)
  }
}

/// The file to write, as an argument or as an option. Giving both is an error.
struct WrittenFile: ParsableArguments {
  @Argument(help: "The file to write; without it, or with -, the result is shown.")
  var destination: String?
  @Option(name: [.short, .long], help: "The destination, as an option.") var output: String?

  fileprivate func path(for action: TraceSubcommand) throws -> String? {
    if let one = destination, let other = output {
      throw CommandError(
        "“trace \(action.rawValue)” writes one file, but two are given: “\(one)” and “\(other)”",
        hint: action == .export ? "export once for each" : "name one of them")
    }
    return output ?? destination
  }
}

extension PlaygroundCommand.Trace {
  struct Show: TraceAction {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Draw the timeline of runs in the terminal.",
      discussion:
        "Each step has a row. If there are too many, steps that differ only by a number share a row, "
        + "and --step opens it.")
    @ParentCommand var trace: PlaygroundCommand.Trace
    @OptionGroup var runs: SavedRunArguments
    @Option(
      help:
        "Only this step and the steps below it, by label or path; “page” means every page-1, page-2 …"
    )
    var step: String?
    @Flag(help: "One row for each lane instead: what ran on the thread, and how long it was used.")
    var lanes = false
    @Flag(help: "At the prompt only: draw a background run while it runs.")
    var follow = false
    @OptionGroup(title: "OPTIONS OF EVERY COMMAND") var options: Options

    func order() throws -> TraceOrder {
      if follow {
        throw CommandError(
          "“--follow” draws a run in progress, so it works only at the prompt",
          hint: "at the prompt, type EXPRESSION & and then trace show --follow; "
            + "“playground trace follow FILE” draws a program that is being recorded")
      }
      if lanes, step != nil {
        throw CommandError("“--step” draws steps and “--lanes” draws lanes; use one of them")
      }
      return try runs.order(.show) { request in
        request.step = step
        request.showsLanes = lanes
      }
    }
  }

  struct Follow: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "follow",
      abstract: "Draw what a program does while “playground record” records it.",
      discussion:
        "FILE is the file that --save of the recording playground names. Ctrl-C ends the drawing, not the program. "
        + "If standard output is not a terminal, the program is drawn once.")
    @ParentCommand var trace: PlaygroundCommand.Trace
    @Argument(help: "The file that the recording will be saved to.") var file: String
    @OptionGroup(title: "OPTIONS OF EVERY COMMAND") var options: Options
  }

  struct Analyse: TraceAction {
    static let configuration = CommandConfiguration(
      commandName: "analyse",
      abstract: "Show where the time went, and why a run did not end sooner.",
      discussion:
        "Work, waiting, blocked threads, gaps; what each lane was used for; the critical path, and the cause "
        + "of each start on it; repeated steps; and how much later each step could have ended without "
        + "delaying the run.")
    @ParentCommand var trace: PlaygroundCommand.Trace
    @OptionGroup var runs: SavedRunArguments
    @OptionGroup(title: "OPTIONS OF EVERY COMMAND") var options: Options

    func order() throws -> TraceOrder { try runs.order(.analyse) }
  }

  struct Why: TraceAction {
    static let configuration = CommandConfiguration(
      commandName: "why",
      abstract: "Show what one step was waiting for, and how that affected the run.")
    @ParentCommand var trace: PlaygroundCommand.Trace
    @OptionGroup var runs: SavedRunArguments
    @Argument(
      help: "The step, by its label or path; “page” means every page-1, page-2 …") var step: String?
    @OptionGroup(title: "OPTIONS OF EVERY COMMAND") var options: Options

    func order() throws -> TraceOrder { try runs.order(.why) { $0.step = step } }
  }

  struct Lint: TraceAction {
    static let configuration = CommandConfiguration(
      commandName: "lint",
      abstract: "Find problems in runs. Exits with 1 if there are any.")
    @ParentCommand var trace: PlaygroundCommand.Trace
    @OptionGroup var runs: SavedRunArguments
    @OptionGroup(title: "OPTIONS OF EVERY COMMAND") var options: Options

    func order() throws -> TraceOrder { try runs.order(.lint) }
  }

  struct Export: TraceAction {
    static let configuration = CommandConfiguration(
      commandName: "export",
      abstract: "Write runs for other programs, or for people.",
      discussion:
        "For other programs: Perfetto (chrome), speedscope, OpenTelemetry (otlp), Graphviz (dot), Mermaid, "
        + "spreadsheets (csv). For people: a picture for a slide (svg, png), a page to look at in a browser "
        + "(html). In csv, text that a spreadsheet would take for a formula starts with an "
        + "apostrophe.")
    @ParentCommand var trace: PlaygroundCommand.Trace
    @OptionGroup var runs: SavedRunArguments
    @OptionGroup var destination: WrittenFile
    @Option(
      help:
        "The format: \(ExportFormat.names); by default that of the destination's extension, chrome for .json or none."
    )
    var format: String?
    @OptionGroup(title: "OPTIONS OF EVERY COMMAND") var options: Options

    func order() throws -> TraceOrder {
      try runs.order(.export) { request in
        request.output = try destination.path(for: .export)
        request.format = try format.map { written in
          guard let known = ExportFormat(named: written) else {
            throw CommandError(
              "there is no format “\(written)”", hint: ExportFormat.hint(for: written))
          }
          return known
        }
      }
    }
  }

  struct Import: TraceAction {
    static let configuration = CommandConfiguration(
      commandName: "import",
      abstract: "Read a trace in Chrome's JSON, of this program or another, as runs.",
      discussion:
        "Each process becomes a run. Writes the runs to the destination, or draws them if there is none."
    )
    @ParentCommand var trace: PlaygroundCommand.Trace
    @Argument(help: "The trace; - is standard input.") var file: String?
    @OptionGroup var destination: WrittenFile
    @OptionGroup(title: "OPTIONS OF EVERY COMMAND") var options: Options

    func order() throws -> TraceOrder {
      var request = TraceRequest(.import)
      request.output = try destination.path(for: .import)
      if request.output == "-" {
        throw CommandError(
          "“trace import” writes a file of runs, but “-” is standard output",
          hint: "name a file; without one the runs are drawn")
      }
      if let output = request.output {
        try WrittenKind.runs.check(output, of: "“trace import”")
      }
      return try request.of(file)
    }
  }

  /// An unknown action, which is reported as an error.
  struct Unknown: TraceAction {
    static let configuration = CommandConfiguration(commandName: "unknown", shouldDisplay: false)
    @ParentCommand var trace: PlaygroundCommand.Trace
    @OptionGroup var options: Options
    @Argument(parsing: .allUnrecognized) var words: [String] = []

    func order() throws -> TraceOrder {
      let known = TraceSubcommand.allCases.filter { $0 != .save }.map(\.rawValue) + ["follow"]
      let all = "the actions are \(known.joined(separator: ", "))"
      guard let action = words.first else {
        throw CommandError("“trace” needs an action", hint: all)
      }
      throw CommandError(
        "there is no “trace \(action)”",
        hint: nearest(to: action, among: known).map { "did you mean “\($0)”?" } ?? all)
    }
  }
}
