import PatternTesting
import Testing

/// The files beside this one compile and run everything that the articles show.
@Suite struct DocumentationTests {
  private static let articles = ["SerialAnimation", "Animations", "Keyframes", "CurvesAndSprings"]
  private let code: DocumentedCode

  init() throws { code = try DocumentedCode(of: "SerialAnimation") }

  @Test(arguments: articles)
  func `its code is compiled and run here`(article: String) throws {
    let blocks = try code.blocks(of: article)
    #expect(blocks.count >= 2)
    #expect(code.untested(blocks) == [])
  }

  @Test func `every article is checked`() throws {
    #expect(try code.articles == Self.articles.sorted())
  }
}
