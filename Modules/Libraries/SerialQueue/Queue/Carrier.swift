internal import AsyncRuntime
internal import Synchronization

/// The task in which asynchronous items run, one after another.
///
/// A cancelled task is not used for another item, because the cancellation flag of a task cannot be reset.
final class Carrier: Sendable {
  private struct State: Sendable {
    var task: Task<Void, Never>?
    var isCancelled = false
  }

  private let state = Locked(State())
  /// The hash value of the task, with which code can check whether it runs in the task.
  private let identity = Atomic<Int>(0)
  private let unusable = Atomic<Bool>(false)

  /// Whether the carrier must not run another item. Written under the lock of the queue.
  var isUnusable: Bool { unusable.load(ordering: .relaxed) }

  func markUnusable() { unusable.store(true, ordering: .relaxed) }

  func adopt(_ task: Task<Void, Never>) {
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  /// Cancels the task. This calls handlers of the user, so the caller must not hold a lock.
  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }

  /// Records the task. Called in the task, before anything else.
  func begin() { identity.store(Self.currentIdentity ?? 0, ordering: .relaxed) }

  func isIdentified(by identity: Int) -> Bool {
    self.identity.load(ordering: .relaxed) == identity
  }

  /// A number that identifies the calling task; nil outside any task.
  static var currentIdentity: Int? { withUnsafeCurrentTask { $0?.hashValue } }
}
