import ArgumentParser

extension PlaygroundCommand {
  struct Explore: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "explore",
      abstract: "Run a Swift program under many schedules, to find one under which it fails.",
      discussion:
        "The program is not changed. Its tasks run on a virtual clock, in a different order in each run. Its input is "
        + "empty. The program fails if it crashes, exits with a code other than 0, or never ends. This command then "
        + "exits with 1. "
        + "“playground explore -- swift test --skip-build --filter NAME” explores tests of XCTest and Swift Testing."
    )
    @ParentCommand var parent: PlaygroundCommand
    @OptionGroup var options: Options
    @Argument(parsing: .postTerminator, help: "After --: the program and its arguments.")
    var program: [String] = []
  }

  struct Record: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "record",
      abstract: "Run a Swift program, and record what its tasks do.",
      discussion:
        "The program is not changed. --save names the file; “playground trace show|why|analyse|lint FILE” reads it. "
        + "The program keeps its own streams and exit code.")
    @ParentCommand var parent: PlaygroundCommand
    @OptionGroup var options: Options
    @Flag(help: "Draw the program while it runs, in the lower half of the terminal.")
    var follow = false
    @Argument(parsing: .postTerminator, help: "After --: the program and its arguments.")
    var program: [String] = []
  }

  struct Replay: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "replay",
      abstract: "Run a Swift program once, under a schedule that “explore” has printed.")
    @ParentCommand var parent: PlaygroundCommand
    @OptionGroup var options: Options
    @Flag(help: "Run it under lldb, or gdb, which stops where it fails.") var debug = false
    @Argument(help: "The schedule, in quotation marks.") var schedule: String
    @Argument(parsing: .postTerminator, help: "After --: the program and its arguments.")
    var program: [String] = []
  }
}
