public import AsyncSimulation
public import Testing

/// Runs the body of a test under many schedules, on a virtual clock.
///
/// ```swift
/// @Test(.explored(schedules: 2_000)) func `the cache fetches once`() async throws {
///   let cache = Cache()
///   async let first = cache.value("x")
///   async let second = cache.value("x")
///   _ = try await (first, second)
///   #expect(await cache.fetches == 1)
/// }
/// ```
///
/// Each schedule runs the whole body again, so the body starts with fresh state each time. The first expectation that
/// fails is reported once. The report contains the shortest failing schedule that was found, its events, and the trait
/// that replays it. Other tests of the process are not affected.
///
/// A body must stay inside Swift's tasks: see `Exploration` in AsyncSimulation.
public struct ExplorationTrait: TestTrait, SuiteTrait {
  let plan: Plan

  enum Plan: Sendable {
    case explore(Exploration)
    case replay(Schedule)
    /// The given text is not a schedule.
    case unreadable(String)
  }

  /// Always true: a suite passes the trait on to its tests.
  public var isRecursive: Bool { true }
}

extension Trait where Self == ExplorationTrait {
  /// Runs the test's body under many schedules.
  ///
  /// - Parameters:
  ///   - schedules: the maximum number of schedules.
  ///   - strategy: how schedules are chosen.
  ///   - workers: the number of threads in the simulated pool.
  ///   - seed: decides which schedules are tried.
  public static func explored(
    schedules: Int = 1_000, strategy: Exploration.Strategy = .random, workers: Int = 4,
    seed: UInt64 = 0
  ) -> Self {
    ExplorationTrait(
      plan: .explore(
        Exploration(schedules: schedules, strategy: strategy, workers: workers, seed: seed)))
  }

  /// Runs the test's body once, under the schedule that a failed exploration has printed.
  public static func explored(replaying schedule: String) -> Self {
    ExplorationTrait(plan: Schedule(schedule).map { .replay($0) } ?? .unreadable(schedule))
  }
}

extension ExplorationTrait: TestScoping {
  /// Runs the test's body under the schedules of the trait. Swift Testing calls it.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    await withBody(function) { function in
      let failures = Failures(at: test.sourceLocation)
      await run(failures) { try await failures.collect(function) }
    }
  }

  private func run(
    _ failures: Failures, _ body: @escaping @Sendable () async throws -> Void
  ) async {
    switch plan {
    case .explore(let exploration):
      failures.report(await exploration.explore(body))
    case .replay(let schedule):
      failures.report(await Exploration().replay(schedule, of: body))
    case .unreadable(let text):
      failures.report(unreadable: text)
    }
  }
}

/// Passes `function` to `use` as an escaping function, although it must not outlive the call.
///
/// A schedule that stalls leaves tasks that never continue but still hold the function. Since they never run again,
/// their references to it are released for them.
private func withBody(
  _ function: @Sendable () async throws -> Void,
  _ use: (@escaping @Sendable () async throws -> Void) async -> Void
) async {
  await withoutActuallyEscaping(function) { function in
    // The references are counted before any task holds the function, and again when no such task can continue.
    let holders = Holders(of: Holders.context(of: function))
    await use(function)
    holders.releaseLeft()
  }
}
