/// A lock that suspends a task that waits for it, first come, first served.
///
/// Some originals have such a lock of their own. Others block a thread on a lock while they wait for a channel.
actor AsyncLock {
  private var isLocked = false
  private var waiters: [UnsafeContinuation<Void, Never>] = []

  nonisolated func withLock<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async rethrows -> Result {
    await lock()
    do {
      let result = try await body()
      await unlock()
      return result
    } catch {
      await unlock()
      throw error
    }
  }

  private func lock() async {
    guard isLocked else {
      isLocked = true
      return
    }
    await withUnsafeContinuation { waiters.append($0) }
  }

  private func unlock() {
    guard !waiters.isEmpty else {
      isLocked = false
      return
    }
    waiters.removeFirst().resume()
  }
}
