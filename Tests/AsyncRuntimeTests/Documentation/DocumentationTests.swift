import PatternTesting
import Testing

/// What the landing page shows is what the file beside this one compiles and runs.
@Suite struct DocumentationTests {
  @Test func `the code of the page is compiled and run here`() throws {
    let code = try DocumentedCode(of: "AsyncRuntime", in: "Runtime")
    #expect(try code.articles == ["AsyncRuntime"])
    let blocks = try code.blocks(of: "AsyncRuntime")
    #expect(blocks.count >= 1)
    #expect(code.untested(blocks) == [])
  }
}
