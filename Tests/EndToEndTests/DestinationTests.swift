import Foundation
import Testing

/// A destination has the format that its name says, or is refused before anything runs.
@Suite struct DestinationTests {
  private static let script = "print \"it ran\""

  static let refused: [(arguments: [String], message: String, fix: String)] = [
    // Extensions of other formats.
    (["eval", script, "--save", "x.html"], "the extension “.html” of “x.html”", "name it x.runs"),
    (["eval", script, "--save", "x.PNG"], "the extension “.PNG”", "name it x.runs"),
    (["eval", script, "--save", "x.runs.html"], "the extension “.html”", "name it x.runs; "),
    (["eval", script, "--report", "y.html.zip"], "the extension “.zip”", "name it y.html; "),
    (["eval", script, "--save", "x.json"], "--save writes a file of runs", "“trace export”"),
    (["eval", script, "--save", "x.otlp.json"], "the extension “.json”", "name it x.otlp.runs"),
    (["eval", script, "--save", "x.play"], "the extension “.play”", "name it x.runs"),
    (["eval", script, "--report", "y.png"], "--report writes an HTML page", "name it y.html"),
    (
      ["eval", script, "--report", "y.runs"], "the extension “.runs” of “y.runs”",
      "--save saves runs"
    ),
    (["eval", script, "--report", "y.zip"], "the extension “.zip”", "name it y.html"),
    (["--report", "y.txt", "eval", script], "the extension “.txt”", "name it y.html"),
    (
      ["compare", "a.runs", "a.runs", "--report", "y.svg"], "the extension “.svg”",
      "name it y.html"
    ),
    (["trace", "import", "a.json", "q.html"], "“trace import” writes a file", "name it q.runs"),
    (["trace", "import", "a.json", "-o", "q.csv"], "the extension “.csv”", "name it q.runs"),
    (["eval", "\(script); trace save y.html"], "“trace save” writes a file", "name it y.runs"),
    (["eval", "\(script); trace save y.dot"], "the extension “.dot”", "“trace export”"),
    (["eval", "\(script); show save y.svg"], "“show save” writes a PNG picture", "name it y.png"),
    (["eval", "\(script); show save y.runs"], "the extension “.runs”", "name it y.png"),
    // Only the name of a format.
    (["eval", "\(script); trace export csv"], "“csv” is the name of a format", "--format csv"),
    (["eval", "\(script); trace export JSON"], "“JSON” is the name", "--format chrome"),
    (["trace", "export", "a.runs", "svg"], "“svg” is the name", "./svg is a file of that name"),
    (["trace", "export", "a.runs", "-o", "htm"], "“htm” is the name", "--format html"),
    (["eval", script, "--save", "csv"], "“csv” is the name of a format", "--format csv"),
    (["eval", script, "--report", "html"], "“html” is the name of a format", "name it html.html"),
    (["eval", "\(script); trace save dot"], "“dot” is the name of a format", "or ./dot"),
    (["eval", script, "--save", ""], "--save needs the name of a file", "the name is empty"),
    // The same file for two outputs.
    (["eval", script, "--save", "x", "--report", "x"], "are the same file", "name two"),
    (["eval", script, "--save", "x.s", "--report", "./x.s"], "are the same file", "name two"),
    (["eval", script, "--save", "x", "--report", "sub/../x"], "are the same file", "name two"),
    (["eval", script, "--save", "new", "--report", "link"], "are the same file", "name two"),
    (
      ["eval", "\(script); trace save ./x; \(script)", "--save", "x"],
      "“./x” is the file that --save writes", "name another file"
    ),
    (["eval", "\(script); trace save x", "--report", "x"], "that --report writes", "another file"),
    (
      ["eval", "\(script); trace export --format csv x", "--save", "x"],
      "that --save writes", "another file"
    ),
    (["trace", "import", "a.json", "x", "--save", "x"], "that --save writes", "another file"),
  ]

  @Test(arguments: refused)
  func `a destination named like another thing is an error`(
    arguments: [String], message: String, fix: String
  ) async throws {
    let home = try PlaygroundHome()
    #expect(try await home.eval("value 1", "--save", "a.runs").code == 0)
    #expect(try await home.run(["trace", "export", "a.runs", "a.json"]).code == 0)
    try #require(mkdir(home.workingFolder + "/sub", 0o700) == 0)
    try #require(symlink("new", home.workingFolder + "/link") == 0)
    let outcome = try await home.run(arguments)
    #expect(outcome.code == 2 && !outcome.output.contains("it ran"), "\(outcome)")
    #expect(outcome.errors.contains(message) && outcome.errors.contains(fix), "\(outcome)")
    let files = try FileManager.default.contentsOfDirectory(atPath: home.workingFolder)
    #expect(files.sorted() == ["a.json", "a.runs", "link", "sub"])
  }

  @Test(
    arguments: [
      ("--save", "x"), ("--save", "x.runs"), ("--save", "x.old"), ("--save", "./csv"),
      ("--save", ".x"), ("--report", "x"), ("--report", "x.html"), ("--report", "x.HTM"),
      ("--report", "./html"),
    ])
  func `other names of destinations are accepted`(option: String, file: String) async throws {
    let home = try PlaygroundHome()
    let outcome = try await home.eval("value 1", option, file)
    #expect(outcome.code == 0, "\(outcome)")
    let text = try String(contentsOfFile: home.workingFolder + "/" + file, encoding: .utf8)
    #expect(text.hasPrefix(option == "--save" ? "{\"format\":" : "<!doctype html>"))
  }

  @Test func `a file can be named like a format`() async throws {
    let home = try PlaygroundHome()
    #expect(try await home.eval("value 1", "--save", "a.runs").code == 0)
    for arguments in [["./svg"], ["csv", "--format", "svg"]] {
      let outcome = try await home.run(["trace", "export", "a.runs"] + arguments)
      #expect(outcome.code == 0, "\(outcome)")
    }
    let file = home.workingFolder + "/csv"
    let start = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg "
    #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix(start))
  }

  @Test func `a device that keeps nothing can be named twice`() async throws {
    let outcome = try await PlaygroundHome().eval(
      "value 1", "--save", "/dev/null", "--report", "/dev/null")
    #expect(outcome.code == 0, "\(outcome)")
  }
}
