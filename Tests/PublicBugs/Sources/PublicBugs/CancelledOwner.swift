/// A task that is already cancelled enters a critical section that promises to refuse it.
///
/// Source: repoprompt/repoprompt-ce#492, fixed in part by #725. `AsyncMutex.withLock` promises that a cancelled task
/// does not run its section. It checked the cancellation only if the mutex was locked. The fix checks it first.
enum CancelledOwner {
  static let bug = PublicBug(
    "a cancelled task enters a critical section", in: "repoprompt/repoprompt-ce", 725
  ) { version in
    let mutex = AsyncMutex(version)
    let owner = Task { try await mutex.withLock { await Task.yield() } }
    let cancelled = Task {
      let wasCancelled = Task.isCancelled
      try await mutex.withLock {
        if wasCancelled { throw Symptom("a cancelled task entered the critical section") }
      }
    }
    let canceller = Task { cancelled.cancel() }
    try await owner.value
    await canceller.value
    do { try await cancelled.value } catch is CancellationError {}
  }

  actor AsyncMutex {
    private var isLocked = false
    private var waiters: [(id: Int, continuation: UnsafeContinuation<Bool, Never>)] = []
    private var lastID = 0
    private let version: Version

    init(_ version: Version) { self.version = version }

    func withLock(_ body: @Sendable () async throws -> Void) async throws {
      guard await lock() else { throw CancellationError() }
      defer { unlock() }
      try await body()
    }

    private func lock() async -> Bool {
      if version == .after, Task.isCancelled { return false }
      guard isLocked else {
        isLocked = true
        return true
      }
      lastID += 1
      let id = lastID
      return await withTaskCancellationHandler {
        await withUnsafeContinuation { continuation in
          if Task.isCancelled { return continuation.resume(returning: false) }
          waiters.append((id, continuation))
        }
      } onCancel: {
        Task { await self.removeCancelledWaiter(id) }
      }
    }

    private func removeCancelledWaiter(_ id: Int) {
      guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
      waiters.remove(at: index).continuation.resume(returning: false)
    }

    private func unlock() {
      guard !waiters.isEmpty else {
        isLocked = false
        return
      }
      waiters.removeFirst().continuation.resume(returning: true)
    }
  }
}
