import Foundation
import Testing

/// The scripts of the lessons, and their pages in the documentation. The tests cover every file in the folder.
@Suite struct LessonTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path
  private static let catalogue = root + "/Modules/Patterns/AsyncPatterns/AsyncPatterns.docc"

  static let lessons = names(in: root + "/Scripts/Lessons", ending: ".play")
  static let pages = names(in: catalogue + "/Lessons", ending: ".md")

  @Test func `every script has a page, and each page a script`() throws {
    #expect(Self.lessons.count >= 30)
    #expect(Set(Self.lessons).subtracting(Self.pages) == [])
    for page in Self.pages { _ = try Self.script(of: page) }
  }

  @Test(arguments: lessons) func `a script does what it says, with the same result each time`(
    lesson: String
  ) async throws {
    let script = try Self.script(of: lesson)
    let outcome = try await Self.run(["--json", "--check-determinism", "run", script])
    #expect(outcome.code == 0, "\(outcome)")
    let written = try Self.text(of: script).split(separator: "\n")
    let expectations = try outcome.records("expect")
    #expect(expectations.count == written.count { $0.hasPrefix("expect ") }, "\(outcome)")
    for expectation in expectations { #expect(expectation.bool("passed") == true, "\(outcome)") }
    #expect(written.last?.hasPrefix("expect ") == true, "a lesson ends in what it says")
    #expect(try outcome.records("run").allSatisfy { $0.string("clock") == "virtual" })
  }

  /// `Scripts/lessons` updates a page.
  @Test(arguments: pages) func `a page shows its script, and the output of the program`(
    page: String
  ) async throws {
    let script = try Self.script(of: page)
    let outcome = try await Self.run(["--no-color", "--set", "width=80", "run", script])
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.errors == "")
    let blocks = Self.blocks(in: try Self.text(of: Self.catalogue + "/Lessons/\(page).md"))
    try #require(blocks.count == 2)
    #expect(blocks[0] == (try Self.text(of: script)))
    #expect(blocks[1] == outcome.output)
  }

  @Test func `readers find every page`() throws {
    let overview = try Self.text(of: Self.catalogue + "/Lessons.md")
    for page in Self.pages { #expect(overview.contains("- <doc:\(page)>\n"), "\(page)") }
    for lesson in Self.lessons { #expect(overview.contains("| `\(lesson)` |"), "\(lesson)") }
  }

  // MARK: Files

  private static func names(in folder: String, ending: String) -> [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }.sorted()
  }

  /// The path of the script of a page. A script that is older than the lessons is in the folder above them.
  private static func script(of page: String) throws -> String {
    try #require(
      ["Lessons/", ""].map { "\(root)/Scripts/\($0)\(page).play" }
        .first { FileManager.default.fileExists(atPath: $0) }, "there is no script “\(page)”")
  }

  private static func text(of file: String) throws -> String {
    try String(contentsOfFile: file, encoding: .utf8)
  }

  /// The contents of the code blocks of a page.
  private static func blocks(in page: String) -> [String] {
    page.components(separatedBy: "```text\n").dropFirst().compactMap {
      $0.components(separatedBy: "```\n").first
    }
  }

  private static func run(_ arguments: [String]) async throws -> PlaygroundProcess.Outcome {
    let home = try PlaygroundHome()
    return try await PlaygroundProcess(
      arguments, input: nil, in: root, environment: home.environment
    ).outcome()
  }

  @Test func `a lesson finds its files from any folder`() async throws {
    let number = try #require(Self.lessons.firstIndex(of: "task-actor-race")) + 1
    let outcome = try await PlaygroundHome().eval("lesson \(number)")
    #expect(outcome.code == 0, "\(outcome)")
  }
}
