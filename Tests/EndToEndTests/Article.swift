import Foundation

/// A page of the documentation that shows programs and commands.
struct Article {
  /// A command and its output.
  struct Command {
    let words: [String]
    let shown: String
  }

  let text: String

  /// - Parameter path: the path of the page, relative to the root of the package.
  init(_ path: String) throws {
    text = try String(contentsOfFile: BugTests.root + "/" + path, encoding: .utf8)
  }

  /// The code blocks of a language.
  func blocks(in language: String) -> [String] {
    text.components(separatedBy: "```\(language)\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
  }

  /// The commands of all blocks, in order.
  var commands: [Command] {
    blocks(in: "console").flatMap { ("\n" + $0).components(separatedBy: "\n$ ").dropFirst() }
      .map { part in
        let lines = part.split(
          separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        var shown = lines.count > 1 ? String(lines[1]) : ""
        if !shown.isEmpty, !shown.hasSuffix("\n") { shown += "\n" }
        return Command(words: lines[0].shellWords, shown: shown)
      }
  }
}

extension Substring {
  /// The words as a shell reads them; a word in quotation marks may contain blanks.
  fileprivate var shellWords: [String] {
    split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
      index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
    }
  }
}
