import AsyncSimulation
import ExplorationTesting
import PatternTesting
import Testing

/// Calls the trait that explores a test directly, so that the trait's reports can be checked.
@Suite struct ExplorationTraitTests {
  private static func explore(
    by trait: ExplorationTrait = .explored(schedules: 200),
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await trait.provideScope(
      for: #require(Test.current), testCase: Test.Case.current, performing: body)
  }

  /// Asks the cache twice for the same value, at the same time.
  @Sendable private static func fetchTwice() async throws {
    let cache = Cache()
    async let first = cache.value("x")
    async let second = cache.value("x")
    _ = try await (first, second)
    #expect(await cache.fetches == 1)
  }

  @Test func `the first failing expectation is reported once, at its line`() async throws {
    let line = #line - 4
    try await withKnownIssue {
      try await Self.explore(Self.fetchTwice)
    } matching: { issue in
      let text = issue.comments.map(\.rawValue).joined()
      return issue.sourceLocation?.line == line && text.contains("200 schedules")
        && text.contains("cache.fetches == 1")
        && text.contains("To replay it: .explored(replaying: \"4 workers\")")
    }
  }

  @Test func `a body that never returns is reported and leaves nothing that traps`() async throws {
    try await withKnownIssue {
      try await Self.explore {
        let (stream, _) = AsyncStream<Int>.makeStream()
        let reader = Task(name: "reader") {
          await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
          for await number in stream { print(number) }
        }
        await reader.value
      }
    } matching: { issue in
      let text = issue.comments.map(\.rawValue).joined()
      return text.contains("“body” waits for “reader” in")
        && text.contains("“reader” waits for a continuation in")
        && text.contains("at ExplorationTraitTests.swift:")
    }
  }

  @Test func `a schedule is run again`() async throws {
    try await withKnownIssue {
      try await Self.explore(by: .explored(replaying: "4 workers, 0:1"), Self.fetchTwice)
    } matching: { issue in
      issue.comments.map(\.rawValue).joined().contains("continues on Cache")
    }
  }

  @Test func `a text that is not a schedule is rejected`() async throws {
    try await withKnownIssue {
      try await Self.explore(by: .explored(replaying: "4 elephants"), Self.fetchTwice)
    } matching: { issue in
      issue.comments.map(\.rawValue).joined().hasPrefix("“4 elephants” is not a schedule")
    }
  }

  @Test(.explored(schedules: 100), arguments: [1, 2])
  func `each argument is explored`(_ count: Int) async throws {
    let cache = Cache()
    for _ in 0..<count { _ = try await cache.value("x") }
    #expect(await cache.fetches == 1)
  }

  @TaskLocal static var name = "none"

  @Test func `the body sees the task-local values of the test`() async throws {
    try await Self.$name.withValue("mine") {
      try await Self.explore(by: .explored(schedules: 3)) { #expect(Self.name == "mine") }
    }
  }

  @Test func `part of a test can be explored`() async {
    await withKnownIssue {
      await explored(schedules: 50, Self.fetchTwice)
    } matching: { issue in
      issue.comments.map(\.rawValue).joined().contains("50 schedules")
    }
  }
}
