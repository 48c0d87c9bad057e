import AsyncPatterns
import Foundation
import InMemoryTracing
import Testing
import TimingTrace
import Tracing

@Suite struct ReadmeTests {
  private static func text(_ path: String) throws -> String {
    let package = URL(filePath: #filePath).appending(path: "../../..").standardized
    return try String(contentsOf: package.appending(path: path), encoding: .utf8)
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  @Test func `every block of code in the README is compiled in a sample`() throws {
    let readme = try Self.text("README.md")
    let blocks = readme.components(separatedBy: "```swift\n").dropFirst()
      .map { Self.lines($0.components(separatedBy: "\n```")[0]) }
    let code =
      Self.lines(try Self.text("Sample/main.swift"))
      + Self.lines(try Self.text("Tests/TimingTraceBridgeTests/ReadmeSamples.swift"))
    #expect(blocks.count == 5)
    for block in blocks {
      let starts = code.indices.filter { code[$0] == block[0] }
      let isThere = starts.contains { code[$0...].starts(with: block) }
      #expect(isThere, "“\(block[0])” and the lines after it are in no sample")
    }
  }

  @Test func `the code of the README works`() async throws {
    let tracer = InMemoryTracer()
    let traced = Traced()
    let result = await withTracer(tracer) { await answer(load) }
    #expect(throws: Never.self) { try result.get() }
    // No tracer is installed for the process, so a span that a step starts on a worker is not recorded.
    #expect(tracer.parents == ["request": "–", "load": "request"])
    let again = await withTracer(traced.tracer) { await answer(load) }
    #expect(throws: Never.self) { try again.get() }
    #expect(traced.record.steps.map(\.path) == ["request", "request/load"])
    send(traced.record, to: tracer)
    #expect(tracer.parents["test"] == "–")
    #expect(tracer.span("test")?.start == 1_767_225_600_000_000_000)
  }
}
