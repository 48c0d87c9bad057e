internal import AsyncRuntime

extension SerialQueue {
  /// Runs a synchronous function as an item of the queue, and suspends until the item has ended. It needs no task, so
  /// it costs less than an asynchronous function.
  ///
  /// If the calling task is cancelled before the function starts, the function never starts. A later cancellation has
  /// no effect.
  ///
  /// - Parameters:
  ///   - isolation: the actor of the caller, on which this function stays. So a call inside an actor needs no change of
  ///     executors, except that of the wait itself.
  ///   - work: the function. It need not be `@Sendable`: objects that only it uses may pass to the queue with it.
  /// - Returns: the result of the function.
  /// - Throws: see the asynchronous function.
  @inlinable
  public func run<Success: Sendable>(
    _ options: ItemOption..., isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID, line: UInt = #line,
    work: sending @escaping () throws -> Success
  ) async throws -> Success {
    let result = AwaitedItem.Value<Success>()
    let item = AwaitedItem(file: file, line: line) { result.value = try work() }
    try await storage.run(item, options, isolation)
    return result.value.unsafelyUnwrapped
  }

  /// Runs an asynchronous function as an item of the queue, and suspends until the item has ended.
  /// If the queue has a bound, first suspends until there is room.
  ///
  /// ```swift
  /// let page = try await queue.run { try await download(url) }
  /// ```
  ///
  /// The function runs in a task of the queue, in the placement of the queue, and not in the calling task. So the queue
  /// can cancel the function alone, and a timeout ends the wait although the function keeps running.
  ///
  /// Cancelling the calling task cancels the item. If the item has not started, it never starts, and this function
  /// throws immediately. If the item is running, it is notified, and this function waits for its end.
  ///
  /// - Parameters:
  ///   - isolation: see the synchronous function.
  ///   - work: see the synchronous function.
  /// - Returns: the result of the function.
  /// - Throws: the error of the function; `CancellationError` if it was cancelled before it started; `TimedOut` if it
  ///   took too long; a `SerialQueueError` if the queue ended the item; `SerialQueueError.selfAwait` if the caller is
  ///   an asynchronous function of the queue that must end before the new item can.
  @inlinable
  public func run<Success: Sendable>(
    _ options: ItemOption..., isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID, line: UInt = #line,
    work: sending @escaping () async throws -> Success
  ) async throws -> Success {
    let result = AwaitedItem.Value<Success>()
    let item = AwaitedItem(file: file, line: line) { result.value = try await work() }
    try await storage.run(item, options, isolation)
    return result.value.unsafelyUnwrapped
  }

  /// Appends an asynchronous function as soon as the queue has room for it. Callers get room in the
  /// order of their calls. A queue without a bound always has room.
  ///
  /// - Returns: the item, which is then in the queue.
  /// - Throws: `CancellationError` if the calling task was cancelled before there was room, or if
  ///   the queue cancelled all items that waited; `SerialQueueError.stopped` if the queue has
  ///   stopped; `SerialQueueError.superseded` if the queue keeps another item with the same key;
  ///   `SerialQueueError.selfAwait` if the caller is an asynchronous function of the queue that
  ///   must end before there can be room. If this function throws, the item never starts.
  @discardableResult
  public func enqueueWhenRoom<Success: Sendable>(
    _ options: ItemOption..., file: StaticString = #fileID, line: UInt = #line,
    work: @escaping @Sendable () async throws -> Success
  ) async throws -> Item<Success> {
    try await append(
      AsynchronousItem(work, site: SourceSite(file: file, line: line)), options)
  }

  /// Appends completion-handler work as soon as the queue has room for it.
  ///
  /// - Returns: the item, which is then in the queue.
  /// - Throws: the same errors as for asynchronous functions.
  @discardableResult
  public func enqueueWithCompletionWhenRoom<Success: Sendable>(
    _ options: ItemOption..., of type: Success.Type, file: StaticString = #fileID,
    line: UInt = #line, work: @escaping @Sendable (_ done: Done<Success>) -> Void
  ) async throws -> Item<Success> {
    try await append(CallbackItem(work, site: SourceSite(file: file, line: line)), options)
  }

  private func append<Success>(
    _ item: TypedItem<Success>, _ options: [ItemOption]
  ) async throws -> Item<Success> {
    item.apply(options)
    let storage = storage
    if storage.isFull { try storage.checkSelfAwait(of: item) }
    // Recorded before any code can cancel the item.
    storage.trace?.submit(item)
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        item.ensuredExtras.onAdmission = { continuation.resume() }
        storage.updateInTurn { $0.enqueueWhenRoom(item) }
      }
    } onCancel: {
      storage.updateInTurn { $0.cancelAdmission(of: item) }
    }
    let refusal = storage.withLock { _ -> (any Error)? in
      item.extras?.isAdmitted == true ? nil : item.result?.error
    }
    if let refusal { throw refusal }
    return Item(item: item, storage: storage)
  }

  /// Suspends until every item that was enqueued before has ended.
  ///
  /// - Throws: `CancellationError` as soon as the calling task is cancelled, although the items keep running;
  ///   `SerialQueueError.selfAwait` inside an asynchronous function of the queue.
  public func drain() async throws {
    try storage.checkSelfAwait(of: nil)
    try await AwaitedResult<Void>.wait { bring in onDrained { bring(.success(())) } }
  }
}
