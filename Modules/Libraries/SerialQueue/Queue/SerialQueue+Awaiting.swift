internal import AsyncRuntime

extension SerialQueue {
  /// Runs an asynchronous function in its turn: waits for room if the queue has a bound, for its turn, and
  /// for its end.
  ///
  /// ```swift
  /// let page = try await queue.run { try await download(url) }
  /// ```
  ///
  /// Cancelling the calling task cancels the item: if it has not started it never does, and this throws
  /// at once; if it runs it is told, and this waits for its end.
  ///
  /// - Returns: what the function returns.
  /// - Throws: what the function throws; `CancellationError` if it was cancelled before it started;
  ///   `SerialQueueError.selfAwait` inside an asynchronous function of the queue that it cannot end before.
  public func run<Success: Sendable>(
    _ options: ItemOption..., file: StaticString = #fileID, line: UInt = #line,
    work: @escaping @Sendable () async throws -> Success
  ) async throws -> Success {
    let item = AsynchronousItem(work, site: SourceSite(file: file, line: line))
    item.apply(options)
    try storage.checkSelfAwait(of: item)
    // As long as nobody can cancel it.
    storage.trace?.submit(item)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        item.listen(in: storage) { continuation.resume(with: $0) }
        storage.updateInTurn { $0.enqueueWhenRoom(item) }
      }
    } onCancel: {
      storage.update { $0.cancel(item) }
    }
  }

  /// Appends an asynchronous function as soon as the queue has room for it: in the order in which callers
  /// asked, and after nothing else if the queue has no bound.
  ///
  /// - Returns: the item, which is in the queue by then.
  /// - Throws: `CancellationError` if the calling task, or everything that waits, was cancelled before there
  ///   was room; `SerialQueueError.stopped` if the queue has stopped; `SerialQueueError.selfAwait` inside
  ///   an asynchronous function of the queue that there cannot be room before. The item never starts
  ///   then.
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
  /// - Returns: the item, which is in the queue by then.
  /// - Throws: as the one for asynchronous functions.
  @discardableResult
  public func enqueueWhenRoom<Success: Sendable>(
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
    // As long as nobody can cancel it.
    storage.trace?.submit(item)
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        item.ensuredExtras.onAdmission = { continuation.resume() }
        storage.updateInTurn { $0.enqueueWhenRoom(item) }
      }
    } onCancel: {
      storage.update { $0.cancelAdmission(of: item) }
    }
    let refusal = storage.withLock { _ -> (any Error)? in
      item.extras?.isAdmitted == true ? nil : item.result?.error
    }
    if let refusal { throw refusal }
    return Item(item: item, storage: storage)
  }

  /// Suspends until every item enqueued so far has ended.
  ///
  /// - Throws: `CancellationError` as soon as the awaiting task is cancelled, and the items go on;
  ///   `SerialQueueError.selfAwait` inside an asynchronous function of the queue.
  public func drain() async throws {
    try storage.checkSelfAwait(of: nil)
    try await AwaitedResult<Void>.wait { bring in onDrained { bring(.success(())) } }
  }
}
