import PatternTesting
import Testing

/// The file beside this one compiles and runs everything that the landing page shows.
@Suite struct DocumentationTests {
  @Test func `the code of the page is compiled and run here`() throws {
    let code = try DocumentedCode(of: "AsyncRuntime", in: "Runtime")
    #expect(try code.articles == ["AsyncRuntime"])
    let blocks = try code.blocks(of: "AsyncRuntime")
    #expect(blocks.count >= 1)
    #expect(code.untested(blocks) == [])
  }
}
