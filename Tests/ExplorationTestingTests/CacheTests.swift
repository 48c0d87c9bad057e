import ExplorationTesting
import Testing

/// The first samples of the article “Testing your own code”: a test that fails, and its replay.
@Suite struct CacheSamples {
  actor Cache {
    private var pages: [String: String] = [:]
    private(set) var fetches = 0

    func page(_ name: String) async -> String {
      if let page = pages[name] { return page }
      fetches += 1
      let page = await fetch(name)
      pages[name] = page
      return page
    }

    private nonisolated func fetch(_ name: String) async -> String { "the page \(name)" }
  }

  @Suite(.failsAsDocumented) struct CacheTests {
    @Test(.explored(schedules: 1_000)) func `the cache fetches once`() async {
      let cache = Cache()
      let other = Task(name: "other") { await cache.page("x") }
      _ = await (cache.page("x"), other.value)
      #expect(await cache.fetches == 1)
    }
  }

  @Suite(.fails) struct Replayed {
    @Test(.explored(replaying: "4 workers")) func `the cache fetches once`() async {
      let cache = Cache()
      let other = Task(name: "other") { await cache.page("x") }
      _ = await (cache.page("x"), other.value)
      #expect(await cache.fetches == 1)
    }
  }
}

/// The same test of the fixed version.
@Suite struct FixedCacheTests {
  actor Cache {
    private var pages: [String: Task<String, Never>] = [:]
    private(set) var fetches = 0

    func page(_ name: String) async -> String {
      if let page = pages[name] { return await page.value }
      fetches += 1
      let page = Task { await fetch(name) }
      pages[name] = page
      return await page.value
    }

    private nonisolated func fetch(_ name: String) async -> String { "the page \(name)" }
  }

  @Test(.explored(schedules: 1_000)) func `the cache fetches once`() async {
    let cache = Cache()
    let other = Task(name: "other") { await cache.page("x") }
    _ = await (cache.page("x"), other.value)
    #expect(await cache.fetches == 1)
  }
}
