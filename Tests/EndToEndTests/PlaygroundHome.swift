import Foundation
import TerminalTesting
import Testing

/// A separate home for the program: all files that the program may find or keep are in one temporary folder.
///
/// Only the compiled plugins are shared between homes, in a folder beside the program. They are identified by their
/// content.
struct PlaygroundHome {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["config", "state", "data", "work"] { _ = try folder.folder(name) }
  }

  /// The working folder of the program.
  var workingFolder: String { folder.path + "/work" }

  /// The whole environment of the program.
  var environment: [String: String] {
    [
      "HOME": folder.path,
      "XDG_CONFIG_HOME": folder.path + "/config",
      "XDG_STATE_HOME": folder.path + "/state",
      "XDG_DATA_HOME": folder.path + "/data",
      "XDG_CACHE_HOME": Self.cache,
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "LANG": "C.UTF-8",
    ]
  }

  /// Writes a file to the working folder of the program, and returns its path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try folder.write(text, to: "work/" + name)
  }

  /// Writes a program to the working folder, and returns its path.
  ///
  /// A separate process writes the file. If this process wrote it, a child that starts meanwhile would keep the file
  /// open. The system starts no program whose file is open for writing.
  func writeProgram(_ text: String, to name: String) async throws -> String {
    let path = workingFolder + "/" + name
    let child = try Child(
      ["sh", "-c", "cat > \"$0\" && chmod +x \"$0\"", path], input: text, in: workingFolder,
      environment: environment)
    let outcome = try await child.outcome()
    try #require(outcome.code == 0, "\(outcome)")
    return path
  }

  /// Runs a script given as an argument.
  func eval(
    _ script: String, _ options: String..., environment: [String: String] = [:]
  ) async throws -> PlaygroundProcess.Outcome {
    try await run(options + ["eval", script], environment: environment)
  }

  /// The records of a script that runs on the virtual clock.
  func records(_ script: String, _ options: String...) async throws -> PlaygroundProcess.Outcome {
    try await run(["--json", "--clock", "virtual"] + options + ["eval", script])
  }

  /// Runs the program to its end.
  func run(
    _ arguments: [String], input: String? = nil, environment: [String: String] = [:]
  ) async throws -> PlaygroundProcess.Outcome {
    try await start(arguments, input: input, environment: environment).outcome()
  }

  /// Starts the program.
  func start(
    _ arguments: [String], input: String? = nil, environment: [String: String] = [:]
  ) throws -> PlaygroundProcess {
    try PlaygroundProcess(
      arguments, input: input, in: workingFolder,
      environment: self.environment.merging(environment) { $1 })
  }

  /// Runs the program and presses Ctrl-C twice. The first time is when one of its commands has written to the pipe
  /// “started”. The second time is when the program has said what another Ctrl-C does.
  func interruptTwice(_ arguments: [String]) async throws -> PlaygroundProcess.Outcome {
    let started = try NamedPipe(workingFolder + "/started")
    let said = try HeldPipe(workingFolder + "/said")
    let child = try Child(
      ["sh", "-c", "exec \"$0\" \"$@\" 2> said", PlaygroundProcess.executable] + arguments,
      in: workingFolder, environment: environment)
    _ = try #require(await started.line())
    child.signal(SIGINT)
    var text = ""
    while !text.contains("ends the program immediately") {
      try #require(await said.isWrittenTo(), "\(text)")
      text += said.text()
    }
    child.signal(SIGINT)
    return try await child.outcome()
  }

  /// Starts the prompt in a terminal.
  func prompt(
    _ arguments: [String] = [], environment: [String: String] = [:], columns: Int = 100
  ) throws -> PseudoTerminal {
    // The pseudo-terminal starts programs in the folder of the tests, so a shell changes the folder first.
    try PseudoTerminal(
      executable: "/bin/sh",
      arguments: ["-c", "cd \"$0\" && exec \"$@\"", workingFolder, PlaygroundProcess.executable]
        + arguments,
      environment: self.environment.merging(environment) { $1 }, columns: columns,
      keeping: folder)
  }

  private static let cache = builtProgram("EndToEndTests.cache")
}
