import Foundation
import Testing

/// A command does not replace a file of another kind by mistake, whatever its name is.
@Suite struct OthersFilesTests {
  private static let script = "print \"it ran\"; "

  static let orders: [(words: [String], kind: String, order: String)] = [
    (["eval", script, "--save", "FILE"], "a file of runs", "--save"),
    (["eval", script + "trace save FILE"], "a file of runs", "“trace save”"),
    (["trace", "import", "a.json", "FILE"], "a file of runs", "“trace import”"),
    (["trace", "import", "a.json", "-o", "FILE"], "a file of runs", "“trace import”"),
    (["eval", script, "--report", "FILE"], "an HTML page", "--report"),
    (["compare", "a.runs", "a.runs", "--report", "FILE"], "an HTML page", "--report"),
    (["eval", script + "trace export --format html FILE"], "an HTML page", "“trace export”"),
    (
      ["trace", "export", "a.runs", "FILE", "--format", "html"], "an HTML page", "“trace export”"
    ),
    (["eval", script + "read \"a.png\"; show save FILE"], "a PNG picture", "“show save”"),
  ]

  private func home() async throws -> PlaygroundHome {
    let home = try PlaygroundHome()
    #expect(try await home.eval("value 1", "--save", "a.runs").code == 0)
    #expect(try await home.run(["trace", "export", "a.runs", "a.json"]).code == 0)
    try home.write(.flag, to: "a.png")
    return home
  }

  private func carryOut(
    _ words: [String], on file: String, in home: PlaygroundHome
  ) async throws -> PlaygroundProcess.Outcome {
    try await home.run(words.map { $0.replacing("FILE", with: file) })
  }

  @Test(arguments: orders, ["Makefile", "link"])
  func `a file of another kind is refused before anything runs`(
    order: (words: [String], kind: String, order: String), name: String
  ) async throws {
    let home = try await home()
    try home.write("all:\n\tmake\n", to: "Makefile")
    try #require(symlink("Makefile", home.workingFolder + "/link") == 0)
    let outcome = try await carryOut(order.words, on: name, in: home)
    #expect(outcome.code == 2 && !outcome.output.contains("it ran"), "\(outcome)")
    let said = "“\(name)” exists and is not \(order.kind), so \(order.order) does not replace it"
    #expect(outcome.errors.contains(said), "\(outcome)")
    #expect(outcome.errors.contains("name another file, or remove that one first"), "\(outcome)")
    #expect(home.contents("Makefile") == Data("all:\n\tmake\n".utf8))
    let files = try FileManager.default.contentsOfDirectory(atPath: home.workingFolder)
    #expect(files.sorted() == ["Makefile", "a.json", "a.png", "a.runs", "link"])
  }

  /// Nothing is lost if the file is empty or of the same kind, or if the destination is a device.
  @Test(arguments: orders)
  func `an empty file, a file of the same kind or a device is written`(
    order: (words: [String], kind: String, order: String)
  ) async throws {
    let home = try await home()
    try home.write("", to: "empty")
    for file in ["empty", "empty", "new", "new"] {
      let outcome = try await carryOut(order.words, on: file, in: home)
      #expect(outcome.code == 0, "\(outcome)")
      #expect(home.contents(file)?.isEmpty == false)
    }
    let outcome = try await carryOut(order.words, on: "/dev/null", in: home)
    // A picture can only be written to a regular file, unlike the other kinds.
    let isPicture = order.kind == "a PNG picture"
    #expect(outcome.code == (isPicture ? 2 : 0), "\(outcome)")
    #expect(!isPicture || outcome.errors.contains("is not a regular file"), "\(outcome)")
  }

  @Test func `an HTML page is recognised in any letter case`() async throws {
    let home = try await home()
    for page in ["<!doctype HTML>\n<p>", "<HTML lang=\"en\">", "<!DOCTYPE html PUBLIC \"x\">"] {
      try home.write(page, to: "page")
      let outcome = try await home.eval("value 1", "--report", "page")
      #expect(outcome.code == 0, "\(outcome)")
    }
  }

  @Test func `a script can save twice to its own file`() async throws {
    let home = try await home()
    let script = "value 1; trace save x; value 2; trace save x"
    for runs in [script, script, "trace import a.json; trace save x"] {
      let outcome = try await home.eval(runs)
      #expect(outcome.code == 0 && outcome.output.contains("saved"), "\(outcome)")
    }
  }

  /// The names of several pictures are only known when the pictures exist.
  @Test func `none of several pictures replaces another file`() async throws {
    let home = try await home()
    try home.write("mine", to: "p-2")
    let outcome = try await home.eval("load Promises; all { 3 * read \"a.png\" }; show save p")
    #expect(outcome.code == 2 && outcome.errors.contains("“p-2” exists"), "\(outcome)")
    #expect(home.contents("p-2") == Data("mine".utf8) && home.contents("p-1") == nil)
  }
}
