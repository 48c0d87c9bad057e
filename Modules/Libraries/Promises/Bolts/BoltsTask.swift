public import AsyncRuntime

/// Promises with the API of Bolts, for code that was written for Bolts. This is a namespace, since `Task` is Swift's.
///
/// ```swift
/// let source = Bolts.TaskCompletionSource<Int>()
/// source.task.continueOnSuccessWith { $0 * 2 }.continueWith { task in print(task.result ?? 0) }
/// source.set(result: 21)
/// ```
///
/// This is a thin layer: a task is a promise, and the continuations of the task are the handlers of that promise. All
/// guarantees of a promise apply. Bolts overflows the stack when about ten thousand immediate continuations run each
/// other; here, a chain of any length does not grow the stack.
public enum Bolts {}

extension Bolts {
  /// The value or the error that asynchronous work will produce, or its cancellation.
  ///
  /// When a task is completed, it runs its continuations in the order in which they were added. A continuation that is
  /// added later runs immediately. Each continuation makes a new task.
  public struct Task<Success: Sendable>: Sendable {
    /// The promise that the task wraps.
    public let promise: Promise<Success, any Error>

    /// Creates a task that completes in the same way as `promise`.
    public init(_ promise: Promise<Success, any Error>) { self.promise = promise }

    /// Creates a task that is completed with `result`.
    public init(
      _ result: Success, runtime: (any Runtime)? = nil, file: StaticString = #fileID,
      line: UInt = #line
    ) {
      promise = .fulfilled(result, on: .inline, runtime: runtime, file: file, line: line)
    }

    /// Creates a task that has failed with `error`. If `error` is a `CancelledError`, the task is cancelled.
    public init(
      error: any Error, runtime: (any Runtime)? = nil, file: StaticString = #fileID,
      line: UInt = #line
    ) {
      promise = .rejected(error, on: .inline, runtime: runtime, file: file, line: line)
    }

    /// A task that is cancelled.
    public static func cancelledTask(
      runtime: (any Runtime)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> Task {
      Task(error: CancelledError(), runtime: runtime, file: file, line: line)
    }

    /// Creates a task for the value that `closure` returns. `executor` runs `closure`.
    public init(
      _ executor: Executor = .default, runtime: (any Runtime)? = nil,
      file: StaticString = #fileID, line: UInt = #line,
      closure: @escaping @Sendable () throws -> Success
    ) {
      self = Task<Void>((), runtime: runtime, file: file, line: line)
        .continueOnSuccessWith(executor, file: file, line: line) { try closure() }
    }

    /// A task for the value that `closure` returns. `executor` runs `closure`.
    public static func execute(
      _ executor: Executor = .default, runtime: (any Runtime)? = nil,
      file: StaticString = #fileID, line: UInt = #line,
      closure: @escaping @Sendable () throws -> Success
    ) -> Task {
      Task(executor, runtime: runtime, file: file, line: line, closure: closure)
    }

    /// A task that completes in the same way as the task that `closure` returns. `executor` runs `closure`.
    public static func executeWithTask(
      _ executor: Executor = .default, runtime: (any Runtime)? = nil,
      file: StaticString = #fileID, line: UInt = #line,
      closure: @escaping @Sendable () throws -> Task
    ) -> Task {
      Task<Void>((), runtime: runtime, file: file, line: line)
        .continueOnSuccessWithTask(executor, file: file, line: line) { try closure() }
    }

    /// Whether the task has a result, has failed or is cancelled.
    public var completed: Bool { promise.storage.root().isSettled }

    /// Whether the task has failed. A cancelled task has not failed.
    public var faulted: Bool { error != nil }

    /// Whether the task is cancelled: by its source, by a `CancelledError`, or because the task that it continues is
    /// cancelled.
    public var cancelled: Bool { promise.isCancelled }

    /// The value, if the task has completed with one.
    public var result: Success? { promise.fulfilledValue }

    /// The error, if the task has failed.
    public var error: (any Error)? {
      guard case .failure(let error)? = promise.current, !(error is CancelledError) else {
        return nil
      }
      return error
    }

    /// The same task, but from here on `cancellation` cancels its continuations: none of them runs after the
    /// cancellation.
    public func until(
      _ cancellation: Cancellation, file: StaticString = #fileID, line: UInt = #line
    ) -> Task {
      Task(promise.until(cancellation, file: file, line: line))
    }

    /// Blocks the calling thread until the task is completed, see `Promise.wait()`.
    ///
    /// - Throws: `WaitRefused` if the wait could never end.
    public func waitUntilCompleted() throws(WaitRefused) {
      do {
        _ = try promise.wait()
      } catch let refused as WaitRefused where !completed {
        throw refused
      } catch {
        // The task is completed, and its error is not an error of the wait.
      }
    }
  }

  /// The error that cancels a task when it is thrown or set.
  public typealias CancelledError = CancellationError
}

extension Bolts.Task: CustomStringConvertible {
  public var description: String {
    switch promise.current {
    case nil: "Task: pending"
    case .success(let value)?: "Task: success(\(value))"
    case .failure(is Bolts.CancelledError)?: "Task: cancelled"
    case .failure(let error)?: "Task: error(\(error))"
    }
  }
}
