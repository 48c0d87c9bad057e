public import AsyncRuntime

extension Promise {
  /// Creates a promise for the result of an asynchronous function, which runs on the runtime's pool.
  ///
  /// Cancelling the promise cancels the task in which the function runs.
  public init(
    on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    cancellation: Cancellation? = nil, whenUnused: UnusedPolicy = .keep,
    file: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable () async throws(Failure) -> Success
  ) {
    let root = RootStorage<Success, Failure>(
      .make(placement, runtime, cancellation: cancellation), Site(file, line),
      whenUnused: whenUnused)
    self.init(root)
    root.beginChain(waitingFor: "its function") { root.run(body) }
  }
}

extension RootStorage {
  /// Settles the promise with the result of `body`, which runs in a new task.
  func run(_ body: @escaping @Sendable () async throws(Failure) -> Success) {
    let (runtime, span) = (context.runtime, LaneContext.current.span)
    runtime.asynchronousBodyStarted(span)
    // If the chain is recorded, the function runs on behalf of the chain's span.
    let chain = isRecorded ? contextReference.chain : nil
    let executor =
      chain.map { SchedulerExecutor(runtime.pool, span: $0.span) }
      ?? SchedulerExecutor(runtime.pool)
    let task = Task(executorPreference: executor) {
      let result: Result<Success, Failure>
      if let chain { chain.enter(because: LaneContext.current.cause(for: chain.span)) }
      do throws(Failure) {
        result = .success(try await body())
      } catch {
        result = .failure(error)
      }
      runtime.asynchronousBodyEnded(span)
      if self.claim() { self.settle(result) }
      chain?.leaveCode(waitingFor: "its next link")
    }
    onCancel { task.cancel() }
  }
}
