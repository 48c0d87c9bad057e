extension SerialQueue {
  /// Appends a synchronous function. The item ends when the function returns.
  ///
  /// ```swift
  /// queue.enqueue { layOut() }
  /// queue.enqueue(.key("layout", .latestWins)) { layOut() }
  /// ```
  ///
  /// - Parameters:
  ///   - options: how the queue treats the item.
  ///   - work: the function.
  /// - Complexity: O(1). It takes a lock only with options, in a queue with a bound or a trace, or
  ///   if the queue is out of work.
  @inlinable
  @discardableResult
  public func enqueue(
    _ options: ItemOption..., file: StaticString = #fileID, line: UInt = #line,
    work: consuming @escaping @Sendable () -> Void
  ) -> Item<Void> {
    // Inlined for two reasons. A caller that ignores the item does not count a reference to an object that all
    // producers share. A caller without options makes no array.
    if options.isEmpty {
      Item(item: storage.append(work, file: file, line: line), storage: storage)
    } else {
      Item(item: storage.append(work, options, file: file, line: line), storage: storage)
    }
  }

  /// Appends a synchronous function that returns a value. The item ends when the function returns or throws.
  ///
  /// - Parameters: the same as without a value.
  /// - Complexity: the same as without a value.
  @discardableResult
  public func enqueue<Success: Sendable>(
    _ options: ItemOption..., file: StaticString = #fileID, line: UInt = #line,
    work: @escaping @Sendable () throws -> Success
  ) -> Item<Success> {
    append(SynchronousItem(work, site: SourceSite(file: file, line: line)), options)
  }

  /// Appends an asynchronous function. The item ends when the function returns or throws. Cancelling the item while it
  /// runs cancels the task that it runs in.
  ///
  /// - Parameters: see the synchronous function.
  @discardableResult
  public func enqueue(
    _ options: ItemOption..., file: StaticString = #fileID, line: UInt = #line,
    work: consuming @escaping @Sendable () async throws -> Void
  ) -> Item<Void> {
    append(PlainAsynchronousItem(work, site: SourceSite(file: file, line: line)), options)
  }

  /// Appends an asynchronous function that returns a value. The item ends when the function returns or throws.
  /// Cancelling the item while it runs cancels the task that it runs in.
  ///
  /// - Parameters: see the synchronous function.
  @discardableResult
  public func enqueue<Success: Sendable>(
    _ options: ItemOption..., file: StaticString = #fileID, line: UInt = #line,
    work: @escaping @Sendable () async throws -> Success
  ) -> Item<Success> {
    append(AsynchronousItem(work, site: SourceSite(file: file, line: line)), options)
  }

  /// Appends completion-handler work. The item ends when the work calls its `done`, not when it returns.
  ///
  /// If the work itself calls `done` before it returns, the next item may take its place only when it has returned. So do
  /// not wait for a later item after the call.
  ///
  /// ```swift
  /// queue.enqueueWithCompletion { done in upload(page, completion: done.closure) }
  /// ```
  ///
  /// - Parameters: see the synchronous function.
  /// - Complexity: the same as for a synchronous function.
  @inlinable
  @discardableResult
  public func enqueueWithCompletion(
    _ options: ItemOption..., file: StaticString = #fileID, line: UInt = #line,
    work: consuming @escaping @Sendable (_ done: Done<Void>) -> Void
  ) -> Item<Void> {
    // Inlined, so that a caller that ignores the item counts no references for it.
    Item(item: storage.append(work, options, file: file, line: line), storage: storage)
  }

  /// Appends completion-handler work that produces a value. The item ends when the work calls its `done`.
  ///
  /// ```swift
  /// let size = queue.enqueueWithCompletion(of: Int.self) { done in measure { done($0) } }
  /// ```
  ///
  /// - Parameters:
  ///   - options: how the queue treats the item.
  ///   - type: the type of the value.
  ///   - work: the work.
  @discardableResult
  public func enqueueWithCompletion<Success: Sendable>(
    _ options: ItemOption..., of type: Success.Type, file: StaticString = #fileID,
    line: UInt = #line, work: @escaping @Sendable (_ done: Done<Success>) -> Void
  ) -> Item<Success> {
    append(CallbackItem(work, site: SourceSite(file: file, line: line)), options)
  }

  private func append<Success>(
    _ item: TypedItem<Success>, _ options: [ItemOption]
  ) -> Item<Success> {
    storage.append(item, options)
    return Item(item: item, storage: storage)
  }
}
