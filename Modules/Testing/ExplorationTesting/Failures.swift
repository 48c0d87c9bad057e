import AsyncRuntime
import AsyncSimulation
import Testing

#if canImport(XCTest)
  import XCTest
#endif

/// Collects the issues of a body under all schedules, and reports one of them.
final class Failures: Sendable {
  private let issues = Locked<[String: Issue]>([:])
  private let location: SourceLocation
  private let test = Test.current
  private let testCase = Test.Case.current

  /// - Parameter location: the place of a failure that no expectation reports.
  init(at location: SourceLocation) { self.location = location }

  /// Runs the body once. Keeps its first issue, and throws it as an error.
  func collect(_ body: @Sendable () async throws -> Void) async throws {
    // Issues of XCTest cannot be kept.
    guard let test else { return try await body() }
    let first = Locked<Issue?>(nil)
    let handling: IssueHandlingTrait = .compactMapIssues { issue in
      first.withLock { if $0 == nil { $0 = issue } }
      return nil
    }
    var thrown: (any Error)?
    do {
      try await handling.provideScope(for: test, testCase: testCase, performing: body)
    } catch {
      thrown = error
    }
    if let issue = first.withLock({ $0 }) {
      let failure = ExpectationFailure(issue)
      issues.withLock { $0[failure.description] = issue }
      throw failure
    }
    if let thrown { throw thrown }
  }

  /// Reports the violation that an exploration has found, if any.
  func report(_ report: ExplorationReport) {
    guard let violation = report.violation else { return }
    record(
      """
      \(report)
      To replay it: .explored(replaying: "\(violation.schedule)")
      """, violation.finding)
  }

  /// Reports the finding of a replay, if any.
  func report(_ replay: Replay) {
    if let finding = replay.finding { record("\(replay)", finding) }
  }

  /// Reports that a text is not a schedule.
  func report(unreadable text: String) {
    record(
      "“\(text)” is not a schedule, so nothing was run. Copy the line that a failed exploration "
        + "prints.",
      at: location)
  }

  private func record(_ text: String, _ finding: Finding) {
    let issue = issues.withLock { $0[finding.detail] }
    record(text, at: issue?.sourceLocation ?? location)
  }

  private func record(_ text: String, at location: SourceLocation) {
    #if canImport(XCTest)
      guard test != nil else {
        return XCTFail("\(location.fileID):\(location.line): \(text)")
      }
    #endif
    Issue.record(Comment(rawValue: text), sourceLocation: location)
  }
}

/// An expectation that failed under a schedule.
struct ExpectationFailure: Error, CustomStringConvertible {
  let description: String

  init(_ issue: Issue) { description = "\(issue)" }
}
