import Foundation
import TerminalTesting
import Testing

/// `playground explore -- swift test` and `playground replay`, with tests of XCTest and of Swift Testing.
@Suite struct ExploreTestBundleTests {
  private func run(
    _ options: [String], filter: String, adding arguments: [String] = []
  ) async throws -> PlaygroundProcess.Outcome {
    let package = try await TestPackage.folder
    let words = [
      "swift", "test", "--skip-build", "--package-path", package, "--filter", filter,
    ]
    return try await PlaygroundHome().run(options + ["--"] + words + arguments)
  }

  private func explore(
    _ filter: String, _ options: String..., adding arguments: [String] = []
  ) async throws -> PlaygroundProcess.Outcome {
    try await run(["explore", "--runs", "20"] + options, filter: filter, adding: arguments)
  }

  /// Runs the command that an exploration has printed.
  private func replay(
    _ outcome: PlaygroundProcess.Outcome
  ) async throws -> PlaygroundProcess.Outcome {
    let line = try #require(
      outcome.output.split(separator: "\n").last { $0.hasPrefix("playground replay ") })
    let parts = line.split(separator: "'")
    let words = try #require(parts.last).split(separator: " ").map(String.init)
    return try await PlaygroundHome().run(["replay", String(parts[1])] + words)
  }

  @Test func `a test of Swift Testing is explored in its bundle`() async throws {
    let outcome = try await explore("isInOrder")
    #expect(outcome.output.contains("Expectation failed: await twoWords() == \"ab\""), "\(outcome)")
    #expect(outcome.output.contains("--filter isInOrder\n"))
    #expect(outcome.code == 1)
  }

  @Test func `a failed assertion of XCTest is a violation, and its line replays it`() async throws {
    let outcome = try await explore("FailingTests/testWordsAreInOrder")
    #expect(outcome.output.contains("“exits with 0” does not hold"), "\(outcome)")
    #expect(outcome.output.contains(#"XCTAssertEqual failed: ("ba") is not equal to ("ab")"#))
    #expect(outcome.output.contains("--filter FailingTests/testWordsAreInOrder"))
    #expect(!outcome.output.contains("--disable-"))
    #expect(outcome.code == 1)
    let replayed = try await replay(outcome)
    #expect(replayed.output.contains("“exits with 0” does not hold"), "\(replayed)")
    #expect(replayed.output.contains(#"("ba") is not equal to ("ab")"#))
    #expect(replayed.output.contains("continues on Log"))
    #expect(replayed.code == 1)
  }

  @Test func `tests of XCTest that pass have no violation, and hours take no time`() async throws {
    let outcome = try await explore("PassingTests")
    #expect(outcome.output.contains("no violation"), "\(outcome)")
    #expect(outcome.code == 0)
  }

  @Test func `a synchronous test has one schedule`() async throws {
    let outcome = try await explore("PassingTests/testIsSynchronous")
    #expect(outcome.output.contains("the only schedule"), "\(outcome)")
    #expect(outcome.output.contains("no violation"))
    #expect(outcome.code == 0)
  }

  @Test func `a test that can never end is a violation that names its function`() async throws {
    let outcome = try await explore("testContinues")
    #expect(outcome.output.contains("“finishes” does not hold"), "\(outcome)")
    #expect(outcome.output.contains("FailingTests.testContinues() at OwnXCTests.swift:"))
    #expect(outcome.code == 1)
  }

  @Test func `a test that blocks its thread is named`() async throws {
    let outcome = try await explore("testBlocks", "--time-limit", "500ms")
    #expect(outcome.output.contains("“ends in time” does not hold"), "\(outcome)")
    #expect(outcome.output.contains("FailingTests.testBlocks()” at OwnXCTests.swift:"))
    #expect(outcome.code == 1)
  }

  @Test func `the time limit of an expectation is exact`() async throws {
    let outcome = try await explore("testTimesOut")
    #expect(outcome.output.contains("Exceeded timeout of 1.0 seconds"), "\(outcome)")
    #expect(outcome.code == 1)
  }

  @Test func `if only Swift Testing fails, the line leaves XCTest out`() async throws {
    let outcome = try await explore("isInOrder|PassingTests/testHasBothWords")
    #expect(outcome.output.contains("XCTest\n"), "\(outcome)")
    #expect(outcome.output.contains("Swift Testing\n"))
    #expect(outcome.output.contains("no violation"))
    #expect(outcome.output.contains("Expectation failed"))
    #expect(outcome.output.contains(" --disable-xctest\n"))
    #expect(outcome.code == 1)
  }

  @Test func `tests in parallel processes are explored in one process`() async throws {
    let outcome = try await explore("FailingTests/testWords|PassingTests", adding: ["--parallel"])
    #expect(outcome.output.contains("XCTAssertEqual failed"), "\(outcome)")
    #expect(outcome.code == 1)
  }

  @Test func `a filter that matches no test is an error`() async throws {
    let outcome = try await explore("isElsewhere")
    #expect(outcome.errors.contains("there is no test to explore"), "\(outcome)")
    #expect(outcome.code == 2)
  }
}
