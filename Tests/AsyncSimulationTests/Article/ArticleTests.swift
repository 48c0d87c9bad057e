import AsyncSimulation
import Foundation
import Testing

/// The statements of the article match the code beside this file.
@Suite struct ArticleTests {
  private static let here = URL(filePath: #filePath).deletingLastPathComponent()
  private static let article = here.appending(
    path: "../../../Modules/Testing/AsyncSimulation/AsyncSimulation.docc/TestingYourOwnCode.md")

  private struct Block {
    var language: Substring
    var lines: [Substring] = []
  }

  private func blocks() throws -> [Block] {
    var blocks: [Block] = []
    var open: Block?
    for line in try String(contentsOf: Self.article, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      if let block = open {
        if line == "```" {
          blocks.append(block)
          open = nil
        } else {
          open?.lines.append(line)
        }
      } else if line.hasPrefix("```") {
        open = Block(language: line.dropFirst(3))
      }
    }
    return blocks
  }

  /// Whether the file contains the lines unchanged, except for a common indentation.
  private func isIn(_ file: [Substring], _ lines: [Substring]) -> Bool {
    guard let first = lines.first else { return false }
    return file.indices.contains { start in
      guard file[start].hasSuffix(first), start + lines.count <= file.count else { return false }
      let margin = file[start].dropLast(first.count)
      guard margin.allSatisfy({ $0 == " " }) else { return false }
      return zip(lines, file[start...]).allSatisfy { line, own in
        line.isEmpty ? own.isEmpty : own == margin + line
      }
    }
  }

  @Test func `the code of the article is compiled and run here`() throws {
    let others = "../../ExplorationTestingTests/"
    let code = try [
      "Autosave", "FixedAutosave", "AutosaveTests", others + "CacheTests", others + "CacheXCTests",
    ].map { name in
      try String(contentsOf: Self.here.appending(path: name + ".swift"), encoding: .utf8)
        .split(separator: "\n", omittingEmptySubsequences: false)
    }
    let blocks = try blocks().filter { $0.language == "swift" }
    #expect(blocks.count >= 12)
    for block in blocks {
      #expect(
        code.contains { isIn($0, block.lines) }, "\(block.lines.joined(separator: "\n"))")
    }
  }

  @Test func `the output that the article shows is printed`() throws {
    let report = Exploration(schedules: 200).explore(AutosaveTests.lateEdit)
    let printed = [AutosaveTests.unfinished(), "\(report)"]
    let blocks = try blocks().filter { $0.language == "text" }
    #expect(blocks.map { $0.lines.joined(separator: "\n") } == printed)
  }
}
