internal import CSwiftTasks

/// A Swift task, whose properties are read from its memory.
///
/// They may be read only until the task has completed, and only on the thread that runs the task's simulation or is
/// about to hand over the task's job. For a retained task, ``isComplete`` and ``error`` may be read later, too.
public struct SwiftTask: Hashable {
  let pointer: UnsafeRawPointer

  /// The parent of a child task, which `async let` or a task group made; nil for other tasks.
  public var parent: SwiftTask? { swift_tasks_parent(pointer).map(SwiftTask.init) }

  /// The name that `Task(name:)` gave to the task.
  public var name: String? { swift_tasks_name(pointer).map { String(cString: $0) } }

  /// The function in which the task continues, and then the callers of this function, innermost first. While the task
  /// runs, they are those of its last wait.
  public var frames: [CodeAddress] { addresses(atMost: 64, swift_tasks_frames) }

  /// The functions that the task may call, if its first function is a thunk that the compiler has made. Only for a task
  /// that has not started.
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

  /// Whether the task that the calling thread runs has a preferred task executor.
  public static var currentPrefersExecutor: Bool { swift_tasks_runningTaskPrefersExecutor() }

  /// Keeps the memory of the task until ``release()``. This does not work for `async let`, whose
  /// task lies in its parent’s memory.
  public func retain() { _ = Unmanaged<AnyObject>.fromOpaque(pointer).retain() }
  public func release() { Unmanaged<AnyObject>.fromOpaque(pointer).release() }

  /// Whether the task has completed.
  public var isComplete: Bool { swift_tasks_isComplete(pointer) }

  /// The error that a completed task threw; nil if it threw none.
  public var error: (any Error)? {
    swift_tasks_error(pointer).map { unsafeBitCast($0, to: (any Error).self) }
  }

  /// Whether no code refers to the task, which starts to run, so that no code can ever await it. Always false for a child
  /// task. The caller must have retained the task exactly once, unless it is a child.
  public var isUnreferenced: Bool { swift_tasks_isUnreferenced(pointer) }

  /// Whether the task has been cancelled.
  public var isCancelled: Bool { swift_tasks_isCancelled(pointer) }

  /// What a suspended task waits for.
  public enum Dependency: Hashable {
    case task(SwiftTask)
    case continuation
    case taskGroup
    /// The task is ready and waits for an executor, or was never started.
    case executor
  }

  /// The dependency of a suspended task; nil while the task runs.
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
