internal import CSwiftTasks

/// A task of Swift, as its memory shows it.
///
/// What it tells may be asked while the task has not completed, on the thread that runs its simulation.
public struct SwiftTask: Hashable {
  let pointer: UnsafeRawPointer

  /// The task whose child it is: of `async let`, or of a task group.
  public var parent: SwiftTask? { swift_tasks_parent(pointer).map(SwiftTask.init) }

  /// The name that it was given: `Task(name:)`.
  public var name: String? { swift_tasks_name(pointer).map { String(cString: $0) } }

  /// Where it continues, and where its callers do: the innermost function first. While it runs, they are
  /// those of its last wait.
  public var frames: [CodeAddress] { addresses(atMost: 64, swift_tasks_frames) }

  /// What may be the function that it calls, if it starts in a thunk that the compiler has made. Only for a task that
  /// has not started.
  public var functionsInsideThunk: [CodeAddress] { addresses(atMost: 4, swift_tasks_insideThunk) }

  private func addresses(
    atMost limit: Int,
    _ write: (UnsafeRawPointer, UnsafeMutablePointer<UnsafeRawPointer?>, Int) -> Int
  ) -> [CodeAddress] {
    withUnsafeTemporaryAllocation(of: UnsafeRawPointer?.self, capacity: limit) { addresses in
      addresses.initialize(repeating: nil)
      let count = write(pointer, addresses.baseAddress!, limit)
      return addresses[..<count].compactMap { $0.map(CodeAddress.init) }
    }
  }

  /// The task that the calling thread runs; nil if it runs none.
  public static var current: SwiftTask? { swift_tasks_runningTask().map(SwiftTask.init) }

  /// Whether the task that the calling thread runs prefers an executor of its own.
  public static var currentPrefersExecutor: Bool { swift_tasks_runningTaskPrefersExecutor() }

  /// Keeps the memory of the task until ``release()``; that of `async let` is its parent’s, and is not kept.
  public func retain() { _ = Unmanaged<AnyObject>.fromOpaque(pointer).retain() }
  public func release() { Unmanaged<AnyObject>.fromOpaque(pointer).release() }

  /// Whether it has completed.
  public var isComplete: Bool { swift_tasks_isComplete(pointer) }

  /// What a suspended task waits for.
  public enum Dependency: Hashable {
    case task(SwiftTask)
    case continuation
    case taskGroup
    /// It is ready, or was never started.
    case executor
  }

  /// What it waits for; nil while it runs.
  public var dependency: Dependency? {
    let dependency = swift_tasks_dependency(pointer)
    switch dependency.kind {
    case 1: return dependency.subject.map { .task(SwiftTask(pointer: $0)) }
    case 2: return .continuation
    case 3: return .taskGroup
    case 4: return .executor
    default: return nil
    }
  }
}
