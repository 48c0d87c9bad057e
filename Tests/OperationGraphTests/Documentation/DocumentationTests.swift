import Foundation
import Testing

/// What the documentation shows is what the files beside this one compile and run.
@Suite struct DocumentationTests {
  private static let here = URL(filePath: #filePath).deletingLastPathComponent()
  private static let module = here.appending(path: "../../../Modules/OperationGraph")
  private static let catalogue = module.appending(path: "OperationGraph.docc")

  private static func lines(_ file: URL) throws -> [Substring] {
    try String(contentsOf: file, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  private static func files(_ folder: URL, _ suffix: String) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.lastPathComponent.hasSuffix(suffix) }.sorted { $0.path < $1.path }
  }

  /// The lines of each block of a kind in these lines.
  private static func blocks(of kind: String, in lines: [Substring]) -> [[Substring]] {
    var blocks: [[Substring]] = []
    var open: [Substring]?
    for line in lines {
      if line == "```\(kind)" {
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

  /// Expects what a program printed to be one of the blocks of text of an article.
  static func expectOutput(_ text: String, in article: String) throws {
    let blocks = blocks(of: "text", in: try lines(catalogue.appending(path: article + ".md")))
    let output = text.split(separator: "\n")
    #expect(blocks.contains { $0 == output }, "\(text)")
  }

  @Test(arguments: ["OperationGraph", "ThreeWays", "WhatTakesSoLong"])
  func `the code of an article is what is compiled and run here`(article: String) throws {
    let samples = try Self.files(Self.here, "Samples.swift").map(Self.lines)
    let blocks = Self.blocks(
      of: "swift", in: try Self.lines(Self.catalogue.appending(path: article + ".md")))
    #expect(blocks.count >= 4)
    for block in blocks {
      #expect(samples.contains { isIn($0, block) }, "\(block.joined(separator: "\n"))")
    }
  }

  @Test func `the code in comments on what shows graphs is what is compiled and run here`() throws {
    let samples = try Self.files(Self.here, "Samples.swift").map(Self.lines)
    var count = 0
    for file in try Self.files(Self.module.appending(path: "Seeing"), ".swift") {
      for block in Self.blocks(of: "swift", in: comments(in: try Self.lines(file))) {
        count += 1
        #expect(
          samples.contains { isIn($0, block) },
          "\(file.lastPathComponent):\n\(block.joined(separator: "\n"))")
      }
    }
    #expect(count >= 2)
  }
}
