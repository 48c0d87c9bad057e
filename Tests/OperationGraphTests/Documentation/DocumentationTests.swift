import PatternTesting
import Testing

/// The files beside this one compile and run everything that the documentation shows.
@Suite struct DocumentationTests {
  private static let articles = ["OperationGraph", "ThreeWays", "WhatTakesSoLong"]
  private let code: DocumentedCode

  init() throws { code = try DocumentedCode(of: "OperationGraph") }

  /// Expects what a program printed to be one of the blocks of text of an article.
  static func expectOutput(_ text: String, in article: String) throws {
    let blocks = try DocumentedCode(of: "OperationGraph").blocks(of: article, in: "text")
    let output = text.split(separator: "\n")
    #expect(blocks.contains { $0.lines == output }, "\(text)")
  }

  @Test(arguments: articles)
  func `the code of an article is compiled and run here`(article: String) throws {
    let blocks = try code.blocks(of: article)
    #expect(blocks.count >= 4)
    #expect(code.untested(blocks) == [])
  }

  @Test func `every article is checked`() throws {
    #expect(try code.articles == Self.articles.sorted())
  }

  @Test func `the code in comments is compiled and run here`() throws {
    let blocks = try code.blocksInComments
    #expect(blocks.count >= 14)
    #expect(code.untested(blocks) == [])
  }
}
