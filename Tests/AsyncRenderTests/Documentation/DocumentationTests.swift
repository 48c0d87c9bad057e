import Foundation
import Testing

/// What the documentation shows is what the files beside this one compile and run.
@Suite struct DocumentationTests {
  private static let here = URL(filePath: #filePath).deletingLastPathComponent()
  private static let catalogue = here.appending(
    path: "../../../Modules/AsyncRender/AsyncRender.docc")

  static let articles = ["AsyncRender"]

  /// The lines of each block of Swift in an article.
  private func blocks(of article: String) throws -> [[Substring]] {
    var blocks: [[Substring]] = []
    var open: [Substring]?
    for line in try lines(Self.catalogue.appending(path: article + ".md")) {
      if line == "```swift" {
        open = []
      } else if line.hasPrefix("```") {
        if let block = open { blocks.append(block) }
        open = nil
      } else {
        open?.append(line)
      }
    }
    return blocks
  }

  private func lines(_ file: URL) throws -> [Substring] {
    try String(contentsOf: file, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// Whether the lines stand in the file as they are, all moved to the right by as much.
  private func isIn(_ file: [Substring], _ block: [Substring]) -> Bool {
    guard let first = block.first else { return false }
    return file.indices.contains { start in
      guard file[start].hasSuffix(first), start + block.count <= file.count else { return false }
      let margin = file[start].dropLast(first.count)
      guard margin.allSatisfy({ $0 == " " }) else { return false }
      return zip(block, file[start...]).allSatisfy { line, own in
        line.isEmpty ? own.isEmpty : own == margin + line
      }
    }
  }

  @Test(arguments: articles)
  func `its code is what is compiled and run here`(article: String) throws {
    let samples = try FileManager.default
      .contentsOfDirectory(at: Self.here, includingPropertiesForKeys: nil)
      .filter { $0.lastPathComponent.hasSuffix("Samples.swift") }.map(lines)
    let blocks = try blocks(of: article)
    #expect(blocks.count >= 2)
    for block in blocks {
      #expect(samples.contains { isIn($0, block) }, "\(block.joined(separator: "\n"))")
    }
  }

  @Test func `no article goes unread`() throws {
    let files = try FileManager.default
      .contentsOfDirectory(at: Self.catalogue, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "md" }.map { $0.deletingPathExtension().lastPathComponent }
    #expect(files.sorted() == Self.articles.sorted())
  }
}
