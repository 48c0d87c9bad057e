import PatternTesting
import Testing

/// The files beside this one compile and run everything that the documentation shows.
@Suite struct DocumentationTests {
  private let code: DocumentedCode

  init() throws { code = try DocumentedCode(of: "AsyncRender") }

  @Test func `the code of the page is compiled and run here`() throws {
    #expect(try code.articles == ["AsyncRender"])
    let blocks = try code.blocks(of: "AsyncRender")
    #expect(blocks.count >= 2)
    #expect(code.untested(blocks) == [])
  }

  @Test func `the code in comments is compiled and run here`() throws {
    let blocks = try code.blocksInComments
    #expect(blocks.count >= 11)
    #expect(code.untested(blocks) == [])
  }
}
