import PatternTesting
import Testing

/// The files beside this one compile and run everything that the documentation shows.
@Suite struct DocumentationTests {
  private let code: DocumentedCode

  init() throws { code = try DocumentedCode(of: "Promises") }

  @Test(arguments: ["Promises"])
  func `the code of an article is compiled and run here`(article: String) throws {
    let blocks = try code.blocks(of: article)
    #expect(blocks.count >= 2)
    #expect(code.untested(blocks) == [])
  }

  @Test func `the code in comments is compiled and run here`() throws {
    let blocks = try code.blocksInComments
    #expect(blocks.count >= 10)
    #expect(code.untested(blocks) == [])
  }

  /// Checks all code in the tables, except in their first columns and except the name of one type.
  @Test func `the code in the tables is compiled and run here`() throws {
    var count = 0
    for line in try code.lines(of: "Migrating")
    where line.hasPrefix("| ") && !line.hasPrefix("| ---") {
      for cell in line.split(separator: " | ").dropFirst() {
        let pieces = cell.split(separator: "`", omittingEmptySubsequences: false)
        for index in pieces.indices where index % 2 == 1 && pieces[index] != "Promise<Int, Never>" {
          count += 1
          #expect(code.isTested(pieces[index]), "\(pieces[index])")
        }
      }
    }
    #expect(count >= 100)
  }
}
