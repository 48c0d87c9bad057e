import AsyncRuntime
import Foundation
import Testing

/// Expects that each test of a suite fails, and keeps the reports of the failures out of the results.
struct ExpectedFailure: SuiteTrait, TestTrait, TestScoping {
  /// Whether the report must be the one that the article “Testing your own code” shows.
  let isDocumented: Bool

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let printed = Locked<[String]>([])
    try await withKnownIssue {
      try await function()
    } matching: { issue in
      // An expectation that fails under one schedule has no comment. The report of the exploration is a comment.
      guard !issue.comments.isEmpty else { return false }
      printed.withLock { $0.append(Self.printed(issue, of: test)) }
      return true
    }
    guard isDocumented else { return }
    let shown = try Self.shown
    #expect(printed.withLock { $0 } == [shown])
  }

  /// An issue as Swift Testing prints it.
  private static func printed(_ issue: Issue, of test: Test) -> String {
    let place = issue.sourceLocation.map { "\($0.fileName):\($0.line):\($0.column)" } ?? ""
    let text = issue.comments.map(\.rawValue).joined(separator: "\n")
      .replacing("\n", with: "\n  ")
    return """
      ✘ Test "\(test.displayName ?? test.name)" recorded an issue at \(place): Issue recorded
      ↳ \(text)
      """
  }

  /// The output that the article shows.
  private static var shown: String {
    get throws {
      let article = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../Modules/Testing/AsyncSimulation/AsyncSimulation.docc/TestingYourOwnCode.md")
      let text = try String(contentsOf: article, encoding: .utf8)
      let start = try #require(text.firstRange(of: "\n```console\n")).upperBound
      let end = try #require(text[start...].firstRange(of: "\n```")).lowerBound
      return String(text[start..<end])
    }
  }
}

extension Trait where Self == ExpectedFailure {
  static var fails: Self { ExpectedFailure(isDocumented: false) }
  static var failsAsDocumented: Self { ExpectedFailure(isDocumented: true) }
}
