// Plain Swift: it imports nothing from this package.

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

/// The fix: it stores the fetch itself, before the first wait.
actor SharedCache {
  private var stored: [String: Task<Int, any Error>] = [:]
  private(set) var fetches = 0

  func value(_ key: String) async throws -> Int {
    if let fetch = stored[key] { return try await fetch.value }
    fetches += 1
    let fetch = Task {
      try await Task.sleep(for: .seconds(1))
      return 7
    }
    stored[key] = fetch
    return try await fetch.value
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

// step
func sharedCacheFetchesOnce() async throws {
  let cache = SharedCache()
  let first = Task(name: "first") { try await cache.value("x") }
  let second = Task(name: "second") {
    try await Task.sleep(for: .seconds(1))
    return try await cache.value("x")
  }
  _ = try await (first.value, second.value)
  if await cache.fetches > 1 { throw FetchedTwice() }
}
