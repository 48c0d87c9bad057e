import Foundation
import Testing

/// The script that builds a real program as a graph.
@Suite struct GraphBuildTests {
  private static let script =
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path + "/Scripts/graph-build.play"

  @Test func `the script's expectations pass, and it leaves no files`() async throws {
    let outcome = try await PlaygroundHome().run(["--json", "run", Self.script])
    #expect(outcome.code == 0, "\(outcome)")
    let text = try String(contentsOfFile: Self.script, encoding: .utf8)
    let written = text.split(separator: "\n").count { $0.hasPrefix("expect ") }
    let expectations = try outcome.records("expect")
    #expect(expectations.count == written && written >= 5)
    for expectation in expectations {
      #expect(expectation.bool("passed") == true, "\(expectation)")
    }
    let runs = try outcome.records("run")
    let folder = try #require(
      runs.first { $0.string("name")?.hasPrefix("sh \"mktemp") == true }?.string("value"))
    #expect(folder.hasPrefix("/tmp/graph-build."))
    #expect(!FileManager.default.fileExists(atPath: folder))
    let rows = try #require(try outcome.records("compare").first)
    #expect(rows.objects("rows").map { $0.integer("runs") } == [6, 6])
  }
}
