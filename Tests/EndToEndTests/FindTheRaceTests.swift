import Foundation
import TerminalTesting
import Testing

/// The article “Find the race in your own actor”: its programs, its commands, and what they print.
@Suite struct FindTheRaceTests {
  private static let article =
    URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path
    + "/Modules/Testing/AsyncSimulation/AsyncSimulation.docc/FindTheRace.md"

  @Test func `each command prints what the article shows`() async throws {
    let text = try String(contentsOfFile: Self.article, encoding: .utf8)
    let programs = Self.blocks(of: text, in: "swift")
    let home = try PlaygroundHome()
    try home.write(programs[0], to: "Demo.swift")
    let main = try #require(programs[0].range(of: "@main"))
    try home.write(programs[1] + programs[0][main.lowerBound...], to: "Fixed.swift")
    let commands = Self.blocks(of: text, in: "console").flatMap { $0.split(prefix: "$ ") }
    try #require(commands.count == 5)
    for command in commands {
      let lines = command.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      let shown = lines.count > 1 ? String(lines[1]) : ""
      var words = lines[0].split(separator: " ").map(String.init)
      guard words[0] == "playground" else {
        try await Shell.run(words, in: home.workingFolder)
        continue
      }
      words = lines[0].dropFirst("playground ".count).shellWords
      let outcome = try await home.run(
        words, environment: ["SWIFT_BACKTRACE": "enable=no"])
      // A replay shows the events again, below what the article shows.
      if words[0] == "replay" {
        #expect(outcome.output.hasPrefix(shown), "\(outcome)")
      } else {
        #expect(outcome.output == shown, "\(outcome)")
      }
    }
  }

  /// The code blocks of a language.
  private static func blocks(of text: String, in language: String) -> [String] {
    text.components(separatedBy: "```\(language)\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
  }
}

extension String {
  /// The parts that begin with `prefix` at the start of a line, without it.
  fileprivate func split(prefix: String) -> [String] {
    ("\n" + self).components(separatedBy: "\n" + prefix).dropFirst().map { part in
      part.hasSuffix("\n") ? part : part + "\n"
    }
  }
}

extension Substring {
  /// Words as a shell reads them; one in quotation marks may have blanks.
  fileprivate var shellWords: [String] {
    split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
      index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
    }
  }
}
