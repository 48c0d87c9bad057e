import PatternTesting
import Testing

/// The article “Write a pattern of your own” shows code that the files beside this one compile and run.
@Suite struct PatternArticleTests {
  @Test func `its pattern and its test are compiled and run here`() throws {
    let code = try DocumentedCode(of: "AsyncPatterns", in: "Patterns")
    let blocks = try code.blocks(of: "WriteAPattern")
    try #require(blocks.count == 3)
    // The first version breaks laws. The end-to-end tests check what the program prints about it.
    #expect(code.untested(Array(blocks.dropFirst())) == [])
  }
}
