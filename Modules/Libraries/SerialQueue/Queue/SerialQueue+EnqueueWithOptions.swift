extension SerialQueue {
  /// Appends a synchronous function with options; it ends when the function returns.
  ///
  /// ```swift
  /// queue.enqueue(.key("layout", .latestWins)) { layOut() }
  /// ```
  ///
  /// - Complexity: O(1), and the lock.
  @discardableResult
  public func enqueue(
    _ option: ItemOption, _ others: ItemOption..., file: StaticString = #fileID,
    line: UInt = #line, work: @escaping @Sendable () -> Void
  ) -> Item<Void> {
    append(PlainItem(work, site: SourceSite(file: file, line: line)), option, others)
  }

  /// Appends a synchronous function that yields a value, with options; it ends when the function returns or
  /// throws.
  public func enqueue<Success: Sendable>(
    _ option: ItemOption, _ others: ItemOption..., file: StaticString = #fileID,
    line: UInt = #line, work: @escaping @Sendable () throws -> Success
  ) -> Item<Success> {
    append(SynchronousItem(work, site: SourceSite(file: file, line: line)), option, others)
  }

  /// Appends completion-handler work with options; it ends when it calls the `done` it gets.
  @discardableResult
  public func enqueue(
    _ option: ItemOption, _ others: ItemOption..., file: StaticString = #fileID,
    line: UInt = #line, work: @escaping @Sendable (_ done: Done<Void>) -> Void
  ) -> Item<Void> {
    append(CallbackItem(work, site: SourceSite(file: file, line: line)), option, others)
  }

  /// Appends completion-handler work that yields a value, with options; it ends when it calls the `done` it
  /// gets.
  public func enqueue<Success: Sendable>(
    _ option: ItemOption, _ others: ItemOption..., of type: Success.Type,
    file: StaticString = #fileID, line: UInt = #line,
    work: @escaping @Sendable (_ done: Done<Success>) -> Void
  ) -> Item<Success> {
    append(CallbackItem(work, site: SourceSite(file: file, line: line)), option, others)
  }

  /// Appends an asynchronous function with options; it ends when the function returns or throws.
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
