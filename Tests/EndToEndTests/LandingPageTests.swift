import Foundation
import Testing

/// The landing page of each module lists the public types of the module.
@Suite struct LandingPageTests {
  private struct Page: CustomTestStringConvertible, Sendable {
    let module: URL
    var name: String { module.lastPathComponent }
    var file: URL { module.appending(path: "\(name).docc/\(name).md") }
    var testDescription: String { name }
  }

  private static let pages: [Page] = {
    let modules = URL(filePath: BugTests.root + "/Modules")
    return children(of: modules).flatMap { children(of: $0) }.map(Page.init)
      .filter { FileManager.default.fileExists(atPath: $0.file.path) }
  }()

  private static func children(of folder: URL) -> [URL] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().map { folder.appending(path: $0) }
  }

  /// The types that a module declares at the top level of its files.
  private static func publicTypes(of module: URL) throws -> Set<String> {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: module.path)
    var types: Set<String> = []
    for path in paths where path.hasSuffix(".swift") {
      let text = try String(contentsOf: module.appending(path: path), encoding: .utf8)
      for line in text.split(separator: "\n") {
        let declaration = /(@\w+ )*public (final |indirect )*(\w+) (\w+)/
        let kinds = ["struct", "class", "enum", "actor", "protocol", "typealias"]
        guard let match = line.prefixMatch(of: declaration) else { continue }
        if kinds.contains(String(match.3)) { types.insert(String(match.4)) }
      }
    }
    return types
  }

  @Test func `modules have landing pages`() { #expect(Self.pages.count >= 10) }

  @Test(arguments: pages)
  private func `all public types are in the topics`(page: Page) throws {
    let text = try String(contentsOf: page.file, encoding: .utf8)
    let start = try #require(text.firstRange(of: "\n## Topics\n")).upperBound
    let topics = text[start...].split(separator: "\n")
    let missing = try Self.publicTypes(of: page.module).filter { type in
      !topics.contains("- ``\(type)``") && !topics.contains("- ``\(page.name)/\(type)``")
    }
    #expect(missing.sorted() == [])
  }
}
