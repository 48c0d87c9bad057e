// Plain Swift: it imports nothing of this package.

/// Keeps what it has fetched.
actor Cache {
  private var stored: [String: Int] = [:]
  private(set) var fetches = 0

  func value(_ key: String) async throws -> Int {
    if let value = stored[key] { return value }
    fetches += 1
    // While this task waits, the actor serves others.
    try await Task.sleep(for: .seconds(1))
    stored[key] = 7
    return 7
  }
}

struct FetchedTwice: Error {}

// step
func cacheFetchesOnce() async throws {
  let cache = Cache()
  let first = Task(name: "first") { try await cache.value("x") }
  let second = Task(name: "second") {
    try await Task.sleep(for: .seconds(1))
    return try await cache.value("x")
  }
  _ = try await (first.value, second.value)
  if await cache.fetches > 1 { throw FetchedTwice() }
}
