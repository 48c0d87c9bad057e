import Foundation
import Testing

/// What the documentation shows is what the files beside this one compile and run.
@Suite struct DocumentationTests {
  private static let here = URL(filePath: #filePath).deletingLastPathComponent()
  private static let module = here.appending(path: "../../../Modules/Promises")
  private static let catalogue = module.appending(path: "Promises.docc")

  private func lines(_ file: URL) throws -> [Substring] {
    try String(contentsOf: file, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  private func files(_ folder: URL, _ suffix: String) throws -> [URL] {
    let all = try #require(
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    return all.compactMap { $0 as? URL }.filter { $0.lastPathComponent.hasSuffix(suffix) }
      .sorted { $0.path < $1.path }
  }

  private func samples() throws -> [[Substring]] {
    try files(Self.here, "Samples.swift").map(lines)
  }

  /// The lines of each block of Swift in these lines, whose first one tells how far all are to the right.
  private func blocks(in lines: [Substring]) -> [[Substring]] {
    var blocks: [[Substring]] = []
    var open: [Substring]?
    for line in lines {
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

  /// The comments on declarations, without what makes them comments.
  private func comments(in lines: [Substring]) -> [Substring] {
    lines.compactMap { line in
      let text = line.drop { $0 == " " }
      guard text.hasPrefix("///") else { return nil }
      return text.dropFirst(text.hasPrefix("/// ") ? 4 : 3)
    }
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

  @Test(arguments: ["Promises"])
  func `the code of an article is what is compiled and run here`(article: String) throws {
    let samples = try samples()
    let blocks = blocks(in: try lines(Self.catalogue.appending(path: article + ".md")))
    #expect(blocks.count >= 2)
    for block in blocks {
      #expect(samples.contains { isIn($0, block) }, "\(block.joined(separator: "\n"))")
    }
  }

  @Test func `the code in comments is what is compiled and run here`() throws {
    let samples = try samples()
    var count = 0
    for file in try files(Self.module, ".swift") {
      for block in blocks(in: comments(in: try lines(file))) {
        count += 1
        #expect(
          samples.contains { isIn($0, block) },
          "\(file.lastPathComponent):\n\(block.joined(separator: "\n"))")
      }
    }
    #expect(count >= 10)
  }

  /// What is code in the columns behind the first one of a table, but for the name of a type.
  @Test func `what the tables name is compiled and run here`() throws {
    let samples = try lines(Self.here.appending(path: "MigrationSamples.swift"))
    var count = 0
    for line in try lines(Self.catalogue.appending(path: "Migrating.md"))
    where line.hasPrefix("| ") && !line.hasPrefix("| ---") {
      for cell in line.split(separator: " | ").dropFirst() {
        let pieces = cell.split(separator: "`", omittingEmptySubsequences: false)
        for index in pieces.indices where index % 2 == 1 && pieces[index] != "Promise<Int, Never>" {
          count += 1
          #expect(samples.contains { $0.contains(pieces[index]) }, "\(pieces[index])")
        }
      }
    }
    #expect(count >= 100)
  }
}
