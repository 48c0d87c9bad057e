internal import AsyncRuntime
internal import Synchronization

/// The task in which asynchronous items run, one after another.
///
/// One that has been told to cancel is not used for another item: the flag of a task cannot be taken
/// back.
final class Carrier: Sendable {
  private struct State: Sendable {
    var task: Task<Void, Never>?
    var isCancelled = false
  }

  private let state = Locked(State())
  /// The hash value of the task, which tells whether code runs in it.
  private let identity = Atomic<Int>(0)
  private let spoiled = Atomic<Bool>(false)

  /// Whether it must not carry another item. Written under the lock of the queue.
  var isSpoiled: Bool { spoiled.load(ordering: .relaxed) }

  func spoil() { spoiled.store(true, ordering: .relaxed) }

  func adopt(_ task: Task<Void, Never>) {
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  /// Cancels the task. It calls handlers of a user's: not under a lock.
  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }

  /// Notes which task it is. Called in it, before anything else.
  func begin() { identity.store(Self.currentIdentity ?? 0, ordering: .relaxed) }

  func isIdentified(by identity: Int) -> Bool {
    self.identity.load(ordering: .relaxed) == identity
  }

  /// What tells the calling task from others; nil outside any.
  static var currentIdentity: Int? { withUnsafeCurrentTask { $0?.hashValue } }
}
