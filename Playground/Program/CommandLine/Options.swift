import ArgumentParser
import AsyncPatterns
import PlaygroundLanguage

/// The options that can stand before or after a subcommand.
struct Options: ParsableArguments {
  @Flag(help: "Print JSON Lines on standard output, and text for people on standard error.")
  var json = false

  @Option(help: "The clock of the runs: live or virtual.")
  var clock: String?

  @Option(
    parsing: .unconditional,
    help: "The seed of the virtual clock's choices; 0 is first in, first out.")
  var seed: Int?

  @Option(parsing: .unconditional, help: "How many workers the pool has.")
  var workers: Int?

  @Option(help: "The longest time that a run may take, such as 30s; none for no limit.")
  var timeLimit: String?

  @Option(parsing: .unconditional, help: "How many times each run is made.")
  var runs: Int?

  @Option(help: "The smallest difference that counts in a comparison, such as 5%.")
  var threshold: String?

  @Option(help: "Save the runs to this file.")
  var save: String?

  @Option(
    help: "Write all runs and comparisons to this file, as a page (.html) to look at in a browser.")
  var report: String?

  @Option(name: .customLong("set"), help: "Set a setting, as NAME=VALUE.")
  var assignments: [String] = []

  @Flag(
    help:
      "Run everything twice, on the virtual clock unless another is given. Stop at a difference."
  )
  var checkDeterminism = false

  @Option(name: .customLong("plugins"), help: "Another folder to search for plugins.")
  var pluginFolders: [String] = []

  @Flag(
    help: "Run typed Swift and code of files in another process, so that a crash ends only a run.")
  var isolate = false

  @Flag(help: "With “explore” and “record”: include the programs that the program starts.")
  var children = false

  @Option(help: "With “record”: keep only the last part of the run, such as 10s.")
  var last: String?

  /// Whether this process is one that `--isolate` has started.
  @Flag(help: .private)
  var isolatedRun = false

  @Flag(help: "Use no colours, as with NO_COLOR.")
  var noColor = false

  /// These options, combined with those of `outer`, which were given before the subcommand. If an option with a single
  /// value is given in both places, the value of these options applies.
  func merged(with outer: Options) -> Options {
    var merged = self
    merged.json = json || outer.json
    merged.clock = clock ?? outer.clock
    merged.seed = seed ?? outer.seed
    merged.workers = workers ?? outer.workers
    merged.timeLimit = timeLimit ?? outer.timeLimit
    merged.runs = runs ?? outer.runs
    merged.threshold = threshold ?? outer.threshold
    merged.save = save ?? outer.save
    merged.report = report ?? outer.report
    merged.assignments = outer.assignments + assignments
    merged.checkDeterminism = checkDeterminism || outer.checkDeterminism
    merged.pluginFolders = outer.pluginFolders + pluginFolders
    merged.isolate = isolate || outer.isolate
    merged.children = children || outer.children
    merged.last = last ?? outer.last
    merged.isolatedRun = isolatedRun || outer.isolatedRun
    merged.noColor = noColor || outer.noColor
    return merged
  }

  /// These options, for a command that makes no runs.
  ///
  /// - Parameters:
  ///   - command: the name of the command.
  ///   - hint: how to keep its results in another way.
  ///   - isReported: whether it has other results for a page.
  /// - Throws: a `CommandError` if `--save` is given, or `--report` without such results.
  func makingNoRuns(_ command: String, hint: String? = nil, isReported: Bool = true) throws
    -> Options
  {
    if save != nil {
      throw CommandError("“\(command)” makes no runs that --save could save", hint: hint)
    }
    if report != nil, !isReported {
      throw CommandError("“\(command)” makes no runs that --report could show", hint: hint)
    }
    return self
  }

  /// The options that change the runs of scripts, and whether each is given.
  private var optionsOfRuns: KeyValuePairs<String, Bool> {
    [
      "clock": clock != nil, "seed": seed != nil, "workers": workers != nil, "runs": runs != nil,
      "threshold": threshold != nil, "check-determinism": checkDeterminism, "isolate": isolate,
    ]
  }

  /// - Throws: a `CommandError` if an option is given that only commands for other programs take.
  func checkTaken() throws {
    if children {
      throw CommandError("--children has an effect only on “explore” and “record”")
    }
    if last != nil { throw CommandError("--last has an effect only on “record”") }
  }

  /// These options, for a command that runs another program.
  ///
  /// - Parameters:
  ///   - command: the name of the command.
  ///   - used: the options of runs that have an effect on the command.
  ///   - limit: the time limit of each run, unless the options have one. Most runs of a simulated program take
  ///     milliseconds.
  /// - Throws: a `CommandError` if an option is given that has no effect.
  func ofProgram(_ command: String, using used: [String] = [], limit: String = "10s") throws
    -> Options
  {
    for (option, isGiven) in optionsOfRuns where isGiven && !used.contains(option) {
      throw CommandError(
        "“\(command)” runs a program by itself, so --\(option) would have no effect",
        hint: "leave it out")
    }
    var options = self
    options.timeLimit = timeLimit ?? limit
    return options
  }

  /// The settings that a session starts with.
  ///
  /// - Throws: a `CommandError` that says which values an option takes.
  func settings(isInteractive: Bool, environment: [String: String]) throws -> Settings {
    try checkDestinations()
    var settings = Settings()
    settings.color =
      isInteractive && !noColor && (environment["NO_COLOR"] ?? "").isEmpty
      && environment["TERM"] != "dumb"
    settings.refusesColor = noColor || !(environment["NO_COLOR"] ?? "").isEmpty
    // At the prompt, the user can press Ctrl-C. Without a limit, a script that hangs would do so silently.
    settings.timeLimit = isInteractive ? nil : .seconds(60)
    settings.checkDeterminism = checkDeterminism
    if checkDeterminism { settings.clock = .virtual }
    if let clock { try settings.set(.clock, written: clock) }
    if let seed { try settings.set(.seed, written: String(seed)) }
    if let workers { try settings.set(.workers, written: String(workers)) }
    if let timeLimit { try settings.set(.timeLimit, written: timeLimit) }
    if let runs { try settings.set(.runs, written: String(runs)) }
    if let threshold { try settings.set(.threshold, written: threshold) }
    for assignment in assignments {
      guard let equals = assignment.firstIndex(of: "=") else {
        throw CommandError("--set takes NAME=VALUE, not “\(assignment)”")
      }
      let name = String(assignment[..<equals])
      guard let setting = Settings.Name(rawValue: name) else {
        let names = Settings.Name.allCases.map(\.rawValue)
        throw CommandError(
          "there is no setting “\(name)”",
          hint: nearest(to: name, among: names).map { "did you mean “\($0)”?" }
            ?? "the settings are \(names.joined(separator: ", "))")
      }
      try settings.set(setting, written: String(assignment[assignment.index(after: equals)...]))
    }
    return settings
  }
}

extension Settings {
  /// Sets a setting to a value from the command line.
  fileprivate mutating func set(_ name: Name, written: String) throws {
    do {
      try set(
        name, to: Parser.parseValue(Source(name: "--\(name.rawValue)", text: written)).asValue)
    } catch let error as ArgumentError {
      throw CommandError("\(error.message), not “\(written)”")
    } catch {
      throw CommandError("“\(written)” is not a value for \(name.rawValue)")
    }
  }
}

extension Duration {
  /// The duration that an option was given.
  ///
  /// - Throws: a `CommandError` unless it is a duration above zero.
  init(option: String, written: String) throws {
    let source = Source(name: "--\(option)", text: written)
    guard case .duration(let duration)? = try? Parser.parseValue(source).asValue,
      duration > .zero
    else {
      throw CommandError("--\(option) takes a duration such as 10s, not “\(written)”")
    }
    self = duration
  }
}
