import Foundation
import Testing

/// Impossible operations on traces are reported, and nothing is written.
@Suite struct TraceMistakeTests {
  static let refused: [(arguments: [String], message: String)] = [
    (["compare", "a.runs", "none"], "none"), (["compare", "a.runs", "x.play"], "x.play"),
    (["trace", "show", "none"], "none"), (["trace", "shw", "a.runs"], "did you mean “show”?"),
    (["trace", "export", "--format", "nope", "a.runs"], "the formats are chrome, speedscope"),
    (["eval", "value 1; trace export --format cvs x"], "did you mean “csv”?"),
    (["trace", "export", "--format", "csv", "a.runs", "--json"], "name a file: --output"),
    (["trace", "export", "--format", "png", "a.runs"], "name a file: --output"),
    (["eval", "value 1; trace export no/such/folder/a.png"], "no/such/folder"),
    (["eval", "value 1", "--report", "no/such/folder/a.html"], "no/such/folder"),
    (["eval", "x = [ a: value 1 ]", "--report", "a.html"], "no run to report yet"),
    (["eval", "x = [ a: value 1 ]", "--save", "a.runs"], "“a.runs” was left unchanged"),
    (["eval", "trace save a.runs"], "no run to save yet"),
    (
      ["trace", "export", "a.runs", "x.zip"],
      "the extension “.zip” of “x.zip” is not that of a format"
    ),
    (["trace", "export", "a.runs", "-o", "b.runs"], ".speedscope, .otlp.json"),
    (["eval", "value 1; trace export x.zip"], "known ones are .chrome.json"),
    (["trace", "export", "a.runs", "-", "--format", "png"], "name a file: --output"),
    (["trace", "import", "a.runs"], "it is a file of runs, not a trace: use “trace show”"),
    (["trace", "import", "a.runs", "-"], "“-” is standard output"),
    (["eval", "value 1", "--save", "-"], "--save writes a file"),
    (["--report", "-", "eval", "value 1"], "--report writes a file"),
    (["compare", "a.runs", "a.runs", "--save", "x.html"], "“compare” makes no runs"),
    (["--save", "x.runs", "trace", "show", "a.runs"], "“trace show” makes no runs"),
    (["plugin", "build", "SerialQueue", "--save", "x.runs"], "“plugin build” makes no runs"),
    (["compare", "-", "-"], "standard input can be one of the two"),
    (["compare", "-", "a.runs"], "standard input: this is not a file of runs: it is empty"),
    (["trace", "import", "none"], "none"), (["trace", "import", "x.play"], "not a Chrome trace"),
    (["trace", "show", "a.runs", "b"], "Unexpected argument 'b'"),
    (["trace"], "“trace” needs an action"), (["trace", "lint"], "“trace lint” needs a file"),
    (["trace", "show", "a.runs", "--run", "7"], "there is no run “7” in “a.runs”"),
    (["trace", "show", "a.runs", "--run", "x"], "there are 1: serial job"),
    (["eval", "value 1; trace show --run 3"], "there is no run “3” in the session"),
    (["eval", "trace show -"], "“-” means a pipe"),
    (["eval", "trace lint --run"], "needs a run’s number or name"),
    (["trace", "show", "-"], "standard input: this is not a file of runs: it is empty"),
    (["eval", "trace import"], "needs a file"),
    (["eval", "value 1", "--save", "no/such/folder"], "no/such/folder"),
    (["eval", "trace save"], "needs a file"), (["eval", "trace lint"], "nothing has been run yet"),
  ]

  @Test(arguments: refused)
  func `a trace command that cannot work is an error`(
    arguments: [String], message: String
  ) async throws {
    let home = try PlaygroundHome()
    try await TraceTests.save(TraceTests.script, to: "a.runs", in: home)
    try home.write("value 1", to: "x.play")
    let runs = home.workingFolder + "/a.runs"
    let before = try String(contentsOfFile: runs, encoding: .utf8)
    let outcome = try await home.run(arguments)
    #expect(outcome.code == 2, "\(outcome)")
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    let files = try FileManager.default.contentsOfDirectory(atPath: home.workingFolder)
    #expect(files.sorted() == ["a.runs", "x.play"])
    #expect(try String(contentsOfFile: runs, encoding: .utf8) == before)
  }
}
