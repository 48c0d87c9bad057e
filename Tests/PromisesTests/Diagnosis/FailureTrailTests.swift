import AsyncSimulation
import Promises
import Testing

/// The path of a failure through promises, and its cost.
@Suite struct FailureTrailTests {
  private let reports = Reports()

  private func lines(_ trail: FailureTrail?) -> [Int] {
    (trail?.links ?? []).compactMap { Int($0.site.split(separator: ":").last ?? "") }
  }

  @Test func `it names the promises in order, from the origin of the failure`() {
    let (page, resolver) = reports.pending(.main, line: 1)
    let number = page.map(line: 2) { $0 + 1 }
      .map(on: .pool, line: 3) { _ throws(any Error) -> Int in throw StepFailure("no number") }
      .ensure(line: 4) {}
      .catch(line: 5) { _ in }
    let worse: Promise<Int, StepFailure> = number.mapError(line: 6) { StepFailure("worse: \($0)") }
    let last = worse.map(line: 7) { $0 + 1 }
    #expect(last.failureTrail == nil)
    resolver.fulfill(1)
    reports.runtime.runUntilIdle()
    #expect(lines(last.failureTrail) == [3, 4, 5, 6, 7])
    let roles: [FailureTrail.Role] = [.began, .passedOn, .passedOn, .replaced, .passedOn]
    #expect(last.failureTrail?.links.map(\.role) == roles)
    #expect(last.failureTrail?.leftOut == 0)
    #expect(page.failureTrail == nil)
    #expect(
      last.failureTrail?.description.hasPrefix(
        "PromisesTests/FailureTrailTests.swift:3 (where it began) → ") == true)
    last.ignoringFailure()
  }

  @Test(arguments: [true, false])
  func `it includes promises that are settled with other promises`(isPending: Bool) {
    let page = isPending ? reports.failing(after: .ms(5)) : reports.failed()
    let inner = page.map(line: 2) { $0 + 1 }
    let (outer, resolver) = reports.pending(line: 3)
    resolver.resolve(with: inner)
    let last = outer.map(line: 4) { $0 + 1 }.ensureThen(line: 5) { [runtime = reports.runtime] in
      Promise<Void, any Error>.fulfilled((), on: .inline, runtime: runtime)
    }
    reports.runtime.runUntilIdle()
    #expect(lines(last.failureTrail).dropFirst().prefix(3) == [2, 3, 4])
    #expect(lines(last.failureTrail).last == 5)
    last.ignoringFailure()
  }

  @Test func `it includes promises that gather others`() {
    let pages = [
      reports.failing(after: .ms(5)).map(line: 2) { $0 + 1 },
      reports.failing(after: .ms(3)).map(line: 3) { $0 + 1 },
    ]
    let all = Promise.all(pages, line: 4)
    let join = Promise.join(pages, line: 5)
    let any = Promise.any(pages, line: 6)
    reports.runtime.runUntilIdle()
    #expect(lines(all.failureTrail).dropFirst() == [3, 4])
    #expect(lines(join.failureTrail).dropFirst() == [2, 5])
    #expect(lines(any.failureTrail).dropFirst() == [2, 6])
    #expect(any.failureTrail?.links.last?.role == .replaced)
    all.ignoringFailure()
    join.ignoringFailure()
    any.ignoringFailure()
  }

  @Test(arguments: [1, 2, 4, 5, 16, 31, 32, 33, 62, 63, 64, 65, 100, 1000, 100_000])
  func `a long path names its first and last promises`(_ count: Int) throws {
    let (first, resolver) = reports.pending(line: 1)
    var last = first
    for line in stride(from: 2, through: UInt(count), by: 1) { last = last.map(line: line) { $0 } }
    resolver.reject(StepFailure("no page"))
    let trail = try #require(last.failureTrail)
    #expect(trail.links.count == min(count, FailureTrail.limit))
    #expect(trail.leftOut == max(count - FailureTrail.limit, 0))
    let lasts = Array(max(2, count - FailureTrail.limit + 2)..<max(count + 1, 2))
    #expect(lines(trail) == [1] + lasts)
    last.ignoringFailure()
  }

  @Test func `each branch has its own path`() {
    let (first, resolver) = reports.pending(line: 1)
    let second = first.map(line: 2) { $0 }
    let branches = (0..<100).map { branch in
      (0..<50).reduce(second) { promise, step in
        promise.map(line: UInt(1000 * (branch + 1) + step)) { $0 }
      }
    }
    resolver.reject(StepFailure("no page"))
    for (branch, promise) in branches.enumerated() {
      let expected = (19..<50).map { 1000 * (branch + 1) + $0 }
      #expect(lines(promise.failureTrail) == [1] + expected)
      #expect(promise.failureTrail?.leftOut == 20)
    }
    first.ignoringFailure()
  }

  /// Counts its living instances.
  private final class Canary: Error {
    private let alive: Locked<(now: Int, most: Int)>

    init(_ alive: Locked<(now: Int, most: Int)>) {
      self.alive = alive
      alive.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
    }

    deinit { alive.withLock { $0.now -= 1 } }
  }

  @Test func `a loop that retries forever keeps nothing of its failures`() {
    let alive = Locked((now: 0, most: 0))
    let runtime = reports.runtime
    @Sendable func attempt(_ left: Int) -> Reports.Page {
      let (page, resolver) = Reports.Page.withResolvers(on: .inline, runtime: runtime)
      runtime.pool.schedule { resolver.reject(Canary(alive)) }
      return page.map { $0 + 1 }.flatMapError { error in
        guard left > 0 else { throw error }
        return attempt(left - 1)
      }
    }
    let loop = attempt(10_000)
    runtime.runUntilIdle()
    #expect(loop.failureTrail != nil)
    #expect(alive.withLock { $0.now } == 1, "the last one")
    #expect(alive.withLock { $0.most } < 10)
    let retry = Reports.Page.retry(10_000, on: .inline, runtime: runtime) { _ in
      Reports.Page.rejected(Canary(alive), on: .inline, runtime: runtime)
    }
    runtime.runUntilIdle()
    #expect(retry.failureTrail != nil)
    #expect(alive.withLock { $0.now } == 2)
    #expect(alive.withLock { $0.most } < 10)
    loop.ignoringFailure()
    retry.ignoringFailure()
    #expect(reports.unhandled == [])
  }

  @Test func `released promises leave nothing of their failure behind`() {
    let alive = Locked((now: 0, most: 0))
    do {
      let (page, resolver) = reports.pending()
      let branches = (0..<10).map { _ in page.map { $0 + 1 }.map { $0 + 1 } }
      resolver.reject(Canary(alive))
      #expect(alive.withLock { $0.now } == 1)
      _ = Promise.any(branches).recover { _ in 0 }
    }
    #expect(reports.unhandled.count == 0)
    #expect(alive.withLock { $0.now } == 0)
  }
}
