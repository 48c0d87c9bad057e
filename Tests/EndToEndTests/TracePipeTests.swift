import Foundation
import TerminalTesting
import Testing

/// Runs that are read from a pipe.
@Suite struct TracePipeTests {
  @Test func `a pipe is read like a file`() async throws {
    let home = try PlaygroundHome()
    try await TraceTests.save(TraceTests.script, to: "a.runs", in: home)
    let path = home.workingFolder + "/a.runs"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    for arguments in [["show"], ["analyse"], ["lint"], ["export"], ["why", "a"]] {
      func run(_ file: String, input: String?) async throws -> PlaygroundProcess.Outcome {
        try await home.run(
          ["trace", arguments[0], file] + arguments.dropFirst() + ["--json"], input: input)
      }
      let (piped, read) = (try await run("-", input: text), try await run("a.runs", input: nil))
      #expect(piped.code == read.code && piped.errors == read.errors)
      if arguments != ["export"] { #expect(piped.output == read.output && !piped.output.isEmpty) }
    }
    _ = try await home.run(["trace", "export", "a.runs", "a.json"])
    let trace = try String(contentsOfFile: home.workingFolder + "/a.json", encoding: .utf8)
    let imported = try await home.run(["trace", "import", "-"], input: trace)
    #expect(imported.output.contains("critical path: a → b"), "\(imported)")
    // As a destination, `-` means standard output.
    let plain = try await home.run(["trace", "export", "-", "--format", "csv"], input: text)
    let dash = try await home.run(["trace", "export", "a.runs", "-", "--format", "csv"])
    #expect(dash.code == 0 && dash.output == plain.output && dash.output.hasPrefix("run,name"))
    #expect(!FileManager.default.fileExists(atPath: home.workingFolder + "/-"))
    for files in [["-", "a.runs"], ["a.runs", "-"]] {
      let compared = try await home.run(["compare"] + files, input: text)
      #expect(compared.code == 0 && compared.output.contains("standard input"), "\(compared)")
    }
    let wrong = try await home.run(["trace", "show", "-"], input: "{]")
    #expect(wrong.code == 2 && wrong.errors.contains("standard input: "), "\(wrong)")
  }

  /// A reader may close the pipe after the first write, so the program writes all runs together.
  @Test func `a pipe gets the runs once`() async throws {
    let home = try PlaygroundHome()
    let pipe = try HeldPipe(home.workingFolder + "/pipe")
    let process = try home.start(["--save", "pipe", "eval", "value 1; value 2"])
    var text = ""
    while await pipe.isWrittenTo() { text += pipe.text() }
    let outcome = try await process.outcome()
    #expect(outcome.code == 0 && outcome.output.contains("saved 2 runs to pipe"), "\(outcome)")
    #expect(text.ranges(of: "run-started").count == 2, "\(text)")
    let shown = try await home.run(["--json", "trace", "show", "-"], input: text)
    #expect(try shown.records("run").map { $0.string("name") } == ["value 1", "value 2"])
  }

  /// A shell turns `<(cat a.runs)` into a pipe.
  @Test func `the pipes of a shell are read like files`() async throws {
    let home = try PlaygroundHome()
    try await TraceTests.save(TraceTests.script, to: "a.runs", in: home)
    #expect(try await home.run(["trace", "export", "a.runs", "a.json"]).code == 0)
    for (order, said) in [
      ("compare <(cat a.runs) <(cat a.runs)", "same"), ("compare a.runs <(cat a.runs)", "same"),
      ("trace show <(cat a.runs)", "critical path: a → b"),
      ("trace import <(cat a.json)", "imported /dev/fd/"),
    ] {
      let outcome = try await home.bash(order)
      #expect(outcome.code == 0 && outcome.output.contains(said), "\(order) \(outcome)")
    }
    let empty = try await home.bash("compare a.runs <(:)")
    #expect(empty.code == 2 && empty.errors.contains("it is empty"), "\(empty)")
    #expect(empty.errors.contains("/dev/fd/"), "\(empty)")
  }
}

extension PlaygroundHome {
  /// Runs a command line in bash, and returns the outcome of the program.
  fileprivate func bash(_ order: String) async throws -> PlaygroundProcess.Outcome {
    try await Child(
      ["/bin/bash", "-c", "\"$0\" \(order)", PlaygroundProcess.executable], input: nil,
      in: workingFolder, environment: environment
    ).outcome()
  }
}
