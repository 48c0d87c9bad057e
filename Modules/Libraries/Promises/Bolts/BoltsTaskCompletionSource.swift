public import AsyncRuntime

extension Bolts {
  /// Completes a task.
  ///
  /// The first call counts. If the last reference is released without a call, the task fails with `ResolverDropped`,
  /// and that is reported.
  public final class TaskCompletionSource<Success: Sendable>: Sendable {
    /// The task that this object completes.
    public let task: Task<Success>
    private let resolver: Promise<Success, any Error>.Resolver

    public init(
      runtime: (any Runtime)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) {
      let (promise, resolver) = Promise<Success, any Error>.withResolvers(
        on: .inline, runtime: runtime, file: file, line: line)
      task = Task(promise)
      self.resolver = resolver
    }

    /// Completes the task with a value and runs its continuations. A second call has no effect and is reported; Bolts
    /// ends the program instead.
    public func set(result: Success) { resolver.fulfill(result) }

    /// Fails the task. Otherwise it works like `set(result:)`.
    public func set(error: any Error) { resolver.reject(error) }

    /// Cancels the task. Otherwise it works like `set(result:)`.
    public func cancel() { resolver.reject(CancelledError()) }

    /// Completes the task with a value and runs its continuations, unless it is already completed.
    ///
    /// - Returns: whether this call completed the task.
    @discardableResult
    public func trySet(result: Success) -> Bool { resolver.tryResolve(.success(result)) }

    /// Fails the task, unless it is already completed.
    ///
    /// - Returns: whether this call completed the task.
    @discardableResult
    public func trySet(error: any Error) -> Bool { resolver.tryResolve(.failure(error)) }

    /// Cancels the task, unless it is already completed.
    ///
    /// - Returns: whether this call completed the task.
    @discardableResult
    public func tryCancel() -> Bool { resolver.tryResolve(.failure(CancelledError())) }
  }
}
