extension SerialQueue {
  /// Appends a synchronous function with options. The item ends when the function returns.
  ///
  /// ```swift
  /// queue.enqueue(.key("layout", .latestWins)) { layOut() }
  /// ```
  ///
  /// - Complexity: O(1), and taking the lock.
  @discardableResult
  public func enqueue(
    _ option: ItemOption, _ others: ItemOption..., file: StaticString = #fileID,
    line: UInt = #line, work: @escaping @Sendable () -> Void
  ) -> Item<Void> {
    append(PlainItem(work, site: SourceSite(file: file, line: line)), option, others)
  }

  /// Appends a synchronous function that returns a value, with options. The item ends when the function returns or
  /// throws.
  public func enqueue<Success: Sendable>(
    _ option: ItemOption, _ others: ItemOption..., file: StaticString = #fileID,
    line: UInt = #line, work: @escaping @Sendable () throws -> Success
  ) -> Item<Success> {
    append(SynchronousItem(work, site: SourceSite(file: file, line: line)), option, others)
  }

  /// Appends completion-handler work with options. The item ends when the work calls its `done`.
  @discardableResult
  public func enqueue(
    _ option: ItemOption, _ others: ItemOption..., file: StaticString = #fileID,
    line: UInt = #line, work: @escaping @Sendable (_ done: Done<Void>) -> Void
  ) -> Item<Void> {
    append(CallbackItem(work, site: SourceSite(file: file, line: line)), option, others)
  }

  /// Appends completion-handler work that produces a value, with options. The item ends when the work calls its `done`.
  public func enqueue<Success: Sendable>(
    _ option: ItemOption, _ others: ItemOption..., of type: Success.Type,
    file: StaticString = #fileID, line: UInt = #line,
    work: @escaping @Sendable (_ done: Done<Success>) -> Void
  ) -> Item<Success> {
    append(CallbackItem(work, site: SourceSite(file: file, line: line)), option, others)
  }

  /// Appends an asynchronous function with options. The item ends when the function returns or throws.
  @discardableResult
  public func enqueue<Success: Sendable>(
    _ option: ItemOption, _ others: ItemOption..., file: StaticString = #fileID,
    line: UInt = #line, work: @escaping @Sendable () async throws -> Success
  ) -> Item<Success> {
    append(AsynchronousItem(work, site: SourceSite(file: file, line: line)), option, others)
  }

  private func append<Success>(
    _ item: TypedItem<Success>, _ option: ItemOption, _ others: [ItemOption]
  ) -> Item<Success> {
    item.apply([option] + others)
    storage.trace?.submit(item)
    storage.updateInTurn { $0.enqueue(item) }
    return Item(item: item, storage: storage)
  }
}
