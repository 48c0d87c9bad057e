public import AsyncRuntime

/// Promises in the shape of Bolts, for code that was written for it: a name space, since `Task` is Swift's.
///
/// ```swift
/// let source = Bolts.TaskCompletionSource<Int>()
/// source.task.continueOnSuccessWith { $0 * 2 }.continueWith { task in print(task.result ?? 0) }
/// source.set(result: 21)
/// ```
///
/// It is a thin layer: a task is a promise, its list of continuations is that promise's, and all that a promise
/// guarantees holds. So, where Bolts overflows the stack when some ten thousand immediate continuations run
/// each other, there is none here however long the chain.
public enum Bolts {}

extension Bolts {
  /// The value or the error that asynchronous work will come to, or that it was cancelled.
  ///
  /// It keeps a list of continuations, and runs them in the order in which they were added when it is completed;
  /// what is added later runs at once. Each makes a new task.
  public struct Task<Success: Sendable>: Sendable {
    /// What it is.
    public let promise: Promise<Success, any Error>

    /// A task that completes as `promise` does.
    public init(_ promise: Promise<Success, any Error>) { self.promise = promise }

    /// A task that is completed with `result`.
    public init(
      _ result: Success, runtime: (any Runtime)? = nil, file: StaticString = #fileID,
      line: UInt = #line
    ) {
      promise = .fulfilled(result, on: .inline, runtime: runtime, file: file, line: line)
    }

    /// A task that has failed with `error`; with a `CancelledError` it is cancelled.
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

    /// A task for what `closure` returns, which `executor` runs.
    public init(
      _ executor: Executor = .default, runtime: (any Runtime)? = nil,
      file: StaticString = #fileID, line: UInt = #line,
      closure: @escaping @Sendable () throws -> Success
    ) {
      self = Task<Void>((), runtime: runtime, file: file, line: line)
        .continueOnSuccessWith(executor, file: file, line: line) { try closure() }
    }

    /// A task for what `closure` returns, which `executor` runs.
    public static func execute(
      _ executor: Executor = .default, runtime: (any Runtime)? = nil,
      file: StaticString = #fileID, line: UInt = #line,
      closure: @escaping @Sendable () throws -> Success
    ) -> Task {
      Task(executor, runtime: runtime, file: file, line: line, closure: closure)
    }

    /// A task that completes as the one that `closure` returns, which `executor` runs.
    public static func executeWithTask(
      _ executor: Executor = .default, runtime: (any Runtime)? = nil,
      file: StaticString = #fileID, line: UInt = #line,
      closure: @escaping @Sendable () throws -> Task
    ) -> Task {
      Task<Void>((), runtime: runtime, file: file, line: line)
        .continueOnSuccessWithTask(executor, file: file, line: line) { try closure() }
    }

    /// Whether it has a result, has failed or is cancelled.
    public var completed: Bool { promise.storage.root().isSettled }

    /// Whether it has failed. One that is cancelled has not.
    public var faulted: Bool { error != nil }

    /// Whether it is cancelled: by its source, by `CancelledError`, or because what it continues is.
    public var cancelled: Bool { promise.isCancelled }

    /// What it has come to, if that is a value.
    public var result: Success? { promise.fulfilledValue }

    /// What it has failed with.
    public var error: (any Error)? {
      guard case .failure(let error)? = promise.current, !(error is CancelledError) else {
        return nil
      }
      return error
    }

    /// The same task, whose continuations `cancellation` cancels from here on: none of them runs any more.
    public func until(
      _ cancellation: Cancellation, file: StaticString = #fileID, line: UInt = #line
    ) -> Task {
      Task(promise.until(cancellation, file: file, line: line))
    }

    /// Blocks the calling thread until the task is completed, see `Promise.wait()`.
    ///
    /// - Throws: `WaitRefused` where that could never be.
    public func waitUntilCompleted() throws(WaitRefused) {
      do {
        _ = try promise.wait()
      } catch let refused as WaitRefused where !completed {
        throw refused
      } catch {
        // It is completed.
      }
    }
  }

  /// What cancels a task when it is thrown, or set.
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
