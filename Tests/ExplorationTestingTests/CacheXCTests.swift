import AsyncSimulation
import ExplorationTesting
import XCTest

/// The sample for XCTest of the article “Testing your own code”. It tests the fixed version.
final class CacheXCTests: XCTestCase {
  private typealias Cache = FixedCacheTests.Cache

  func testTheCacheFetchesOnce() async {
    await explored(schedules: 1_000) {
      let cache = Cache()
      let other = Task(name: "other") { await cache.page("x") }
      _ = await (cache.page("x"), other.value)
      try check(await cache.fetches == 1)
    }
  }
}
