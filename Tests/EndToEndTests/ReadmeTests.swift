import Foundation
import TerminalTesting
import Testing

/// The README: what its samples print, its length, and its links. `ConsumerPackageTests` builds its package.
@Suite struct ReadmeTests {
  private let readme: Article
  /// The blocks with lines of the prompt.
  private let sessions: [Session]

  init() throws {
    readme = try Article("README.md")
    sessions = readme.blocks(in: "text").map(Session.init)
    try #require(sessions.count == 3)
  }

  @Test func `the first picture is what the program draws`() async throws {
    let outcome = try await Self.run(sessions[0].script)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output == sessions[0].shown)
  }

  @Test func `each line of the prompt works`() async throws {
    let home = try PlaygroundHome()
    try home.write(readme.text, to: "README.md")
    let outcome = try await home.eval(sessions[1].script)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("ok: makespan == 20ms"), "\(outcome)")
    #expect(outcome.output.contains("all 4 schedules, in 10 tries: no violation"), "\(outcome)")
    #expect(FileManager.default.fileExists(atPath: home.workingFolder + "/pages.svg"))
  }

  @Test func `the race is found as shown, and replayed`() async throws {
    let outcome = try await Self.run(sessions[2].script)
    #expect(outcome.code == 1, "\(outcome)")
    var rest = Substring(outcome.output)
    for part in sessions[2].shown.components(separatedBy: "   …\n") {
      let place = try #require(rest.range(of: part), "\(part)\n\(outcome)")
      rest = rest[place.upperBound...]
    }
    #expect(rest == "", "\(outcome)")

    let load = try #require(sessions[2].script.split(separator: "\n").first)
    let replay = try #require(
      sessions[2].shown.split(separator: "\n").first { $0.hasPrefix("replay ") })
    let again = try await Self.run("\(load)\n\(replay)")
    #expect(again.output.contains("error: FetchedTwice()"), "\(again)")
  }

  /// The recorded program is the one of the article, with fewer pictures.
  @Test func `a recording shows the tasks of a plain program`() async throws {
    let article = try Article("Modules/Trace/TimingTrace/TimingTrace.docc/SeeWhyItIsSlow.md")
    let program = try #require(article.blocks(in: "swift").first { $0.contains("in 1...8 {") })
    let home = try PlaygroundHome()
    try home.write(
      program.replacingOccurrences(of: "in 1...8 {", with: "in 1...4 {"), to: "Demo.swift")
    try await Shell.run(
      "swiftc", "-O", "-g", "-parse-as-library", "Demo.swift", "-o", "demo",
      in: home.workingFolder)
    try #require(readme.commands.count == 2)
    for command in readme.commands {
      try #require(command.words.first == "playground")
      let outcome = try await home.run(Array(command.words.dropFirst()))
      #expect(outcome.code == 0, "\(outcome)")
      // The times depend on the machine.
      let names = command.shown.matches(of: /picture-[1-4]│|demo\.jsonl/).map(\.output)
      #expect(!names.isEmpty)
      // The standard output of “record” belongs to the program.
      let shown = command.words.contains("record") ? outcome.errors : outcome.output
      for name in names { #expect(shown.contains(name), "\(name): \(outcome)") }
    }
  }

  @Test func `it takes no longer than some minutes to read`() {
    #expect(readme.text.split(whereSeparator: \.isWhitespace).count <= 700)
  }

  @Test(arguments: ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"])
  func `each link of a page leads to a file`(page: String) throws {
    let links = try Article(page).text.matches(of: /\]\(([^)\s]+)\)/).map(\.output.1)
    #expect(page != "README.md" || links.count >= 15)
    for link in links where !link.contains("://") {
      let path = link.prefix { $0 != "#" }
      #expect(FileManager.default.fileExists(atPath: "\(BugTests.root)/\(path)"), "\(link)")
    }
  }

  /// Runs a script in the root of the package, since the paths in the README are relative to it.
  private static func run(_ script: String) async throws -> PlaygroundProcess.Outcome {
    let home = try PlaygroundHome()
    return try await PlaygroundProcess(
      ["--no-color", "--set", "width=80", "eval", script], input: nil, in: BugTests.root,
      environment: home.environment
    ).outcome()
  }
}

/// A block that shows lines typed at the prompt, each after a “> ”, and what the program prints.
private struct Session {
  let script: String
  let shown: String

  init(_ block: String) {
    let lines = block.split(separator: "\n", omittingEmptySubsequences: false)
    script = lines.filter { $0.hasPrefix("> ") }.map { $0.dropFirst(2) }.joined(separator: "\n")
    shown = lines.filter { !$0.hasPrefix("> ") }.joined(separator: "\n")
  }
}
