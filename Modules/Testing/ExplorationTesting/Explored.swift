public import AsyncSimulation
internal import Testing

/// Runs `body` under many schedules, inside any test.
///
/// Use it with XCTest, or for a part of a test. In Swift Testing, an expectation that fails in the body is a violation.
/// In XCTest, the body must throw instead, for example by calling `check(_:_:)` of AsyncSimulation. A failed assertion
/// of XCTest would be reported for each schedule.
///
/// ```swift
/// func testTheCacheFetchesOnce() async {
///   await explored(schedules: 2_000) {
///     let cache = Cache()
///     async let first = cache.value("x")
///     async let second = cache.value("x")
///     _ = try await (first, second)
///     try check(await cache.fetches == 1)
///   }
/// }
/// ```
///
/// - Parameters:
///   - schedules: the maximum number of schedules.
///   - strategy: how schedules are chosen.
///   - workers: the number of threads in the simulated pool.
///   - seed: decides which schedules are tried.
///   - fileID: together with the next three parameters, the place that is reported for a failure if no
///     expectation reports it.
///   - body: called again for each schedule.
public func explored(
  schedules: Int = 1_000, strategy: Exploration.Strategy = .random, workers: Int = 4,
  seed: UInt64 = 0,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
  _ body: @escaping @Sendable () async throws -> Void
) async {
  let location = SourceLocation(
    fileID: fileID, filePath: filePath, line: line, column: column)
  let failures = Failures(at: location)
  let exploration = Exploration(
    schedules: schedules, strategy: strategy, workers: workers, seed: seed)
  failures.report(await exploration.explore { try await failures.collect(body) })
}

/// Runs `body` once, under a schedule that a failed exploration has printed.
public func explored(
  replaying schedule: String,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
  _ body: @escaping @Sendable () async throws -> Void
) async {
  let location = SourceLocation(
    fileID: fileID, filePath: filePath, line: line, column: column)
  let failures = Failures(at: location)
  guard let schedule = Schedule(schedule) else { return failures.report(unreadable: schedule) }
  failures.report(await Exploration().replay(schedule) { try await failures.collect(body) })
}
