import ArgumentParser
import PlaygroundLanguage
import TimingTrace

extension PlaygroundCommand {
  /// The arguments. If they contain a script but no subcommand, `run` is inserted before the script.
  static func naming(_ arguments: [String]) -> [String] {
    let names = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    let flags = ["--json", "--no-color", "--check-determinism", "--isolate", "--children"]
    for (index, argument) in arguments.enumerated() {
      if argument == "--" || names.contains(argument) { break }
      let previous = index > 0 ? arguments[index - 1] : ""
      // The value of an option is not a script.
      guard argument.hasSuffix(".play"), !argument.hasPrefix("-"),
        !previous.hasPrefix("--") || previous.contains("=") || flags.contains(previous)
      else { continue }
      var named = arguments
      named.insert("run", at: index)
      return named
    }
    return arguments
  }
}

extension PlaygroundCommand {
  /// - Throws: a `CommandError` for `help NAME` if there is no such subcommand.
  static func checkHelp(_ arguments: [String]) throws {
    guard arguments.first == "help" else { return }
    var command: any ParsableCommand.Type = PlaygroundCommand.self
    for name in arguments.dropFirst() where !name.hasPrefix("-") {
      let known = command.configuration.subcommands
      guard let next = known.first(where: { $0.configuration.commandName == name }) else {
        let names = known.compactMap { $0.configuration.commandName }
        throw CommandError(
          "there is no subcommand “\(name)”",
          hint: nearest(to: name, among: names).map { "did you mean “\($0)”?" }
            ?? "“playground --help” lists the subcommands")
      }
      command = next
    }
  }
}

/// The command line of `playground` and its subcommands.
struct PlaygroundCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "playground",
    abstract: "Explore, run and compare asynchronous patterns.",
    discussion:
      "Without a subcommand: the prompt, or a script from standard input if that is a pipe. "
      + "“playground FILE.play” runs a script, as “run” does.",
    version: "playground 1.0.0",
    subcommands: [
      Run.self, Eval.self, Compare.self, Explore.self, Replay.self, Record.self, Trace.self,
      Plugin.self,
    ])

  @OptionGroup var options: Options

  struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "run", abstract: "Run scripts; - is standard input.")
    @ParentCommand var parent: PlaygroundCommand
    @OptionGroup var options: Options
    @Argument(help: "The scripts.") var files: [String]
  }

  struct Eval: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "eval", abstract: "Run a script given as an argument.")
    @ParentCommand var parent: PlaygroundCommand
    @OptionGroup var options: Options
    @Argument(help: "The script.") var script: String
  }

  struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "compare",
      abstract: "Compare the runs that have the same name in two saved files.",
      discussion:
        "Runs with the same name and composition form a sample. A composition that was edited since is compared, "
        + "step by step, with the one that has the most steps in common. Runs without a partner are listed. "
        + "Exits with 1 if B is slower than A by more than the threshold or, on the virtual clock, if there is any "
        + "difference. --report FILE writes the runs and their comparison to a page to look at in a browser."
    )
    @ParentCommand var parent: PlaygroundCommand
    @OptionGroup var options: Options
    @Argument(help: "The runs to compare with; - is standard input.") var baseline: String
    @Argument(help: "The runs to compare; - is standard input.") var candidate: String
  }

  struct Plugin: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "plugin",
      abstract: "Build plugins without loading them, or check their patterns against the laws.",
      discussion:
        "“check” runs every pattern on the virtual clock under many schedules, and prints which of the laws "
        + "it keeps. It exits with 1 if a pattern breaks a law that its manual does not list, or "
        + "keeps one that its manual lists.")
    @ParentCommand var parent: PlaygroundCommand
    @OptionGroup var options: Options
    @Argument(help: "build or check.") var action: String
    @Argument(
      help: "Names or paths; by default, build takes all plugins that came with the program.")
    var plugins: [String] = []
  }
}
