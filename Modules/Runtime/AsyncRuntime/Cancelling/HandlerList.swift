/// The handlers of a cancellation, in the order in which they were added. Each has a unique number.
struct HandlerList: Sendable {
  enum Handler: Sendable {
    case closure(@Sendable () -> Void)
    /// Needs no allocation for a closure.
    case cancellable(any Cancellable)
    /// A child. The cancellation of the parent continues with the handlers of the child.
    case child(WeakCancellation)

    func callAsFunction() {
      switch self {
      case .closure(let closure): closure()
      case .cancellable(let cancellable): cancellable.cancel()
      // A child of a cancelled parent cancels itself when it is created.
      case .child: break
      }
    }
  }

  private struct Entry: Sendable {
    let number: UInt64
    /// Nil after the handler was removed or called.
    var handler: Handler?
  }

  /// The entries, in the order of their numbers.
  private var entries: [Entry] = []
  private var count: UInt64 = 0
  private var removedCount = 0
  /// The number of entries, from the first one, that have been called.
  private var calledCount = 0

  /// - Complexity: amortized O(1).
  mutating func append(_ handler: Handler) -> UInt64 {
    count += 1
    if entries.isEmpty { entries.reserveCapacity(8) }
    entries.append(Entry(number: count, handler: handler))
    return count
  }

  /// Removes and returns the first handler.
  mutating func popFirst() -> Handler? {
    while calledCount < entries.count {
      defer { calledCount += 1 }
      if let handler = entries[calledCount].handler.take() { return handler }
    }
    entries = []
    return nil
  }

  /// Removes and returns all handlers. The numbers of later ones are still new.
  mutating func removeAll() -> [Handler] {
    let handlers = entries.compactMap(\.handler)
    (entries, removedCount, calledCount) = ([], 0, 0)
    return handlers
  }

  /// Removes and returns the handler with this number, if it is still there.
  ///
  /// - Complexity: amortized O(log *n*) for *n* handlers.
  mutating func remove(_ number: UInt64) -> Handler? {
    guard let index = index(of: number), let handler = entries[index].handler.take() else {
      return nil
    }
    removedCount += 1
    if removedCount > 8, removedCount > entries.count / 2, calledCount == 0 {
      entries.removeAll { $0.handler == nil }
      removedCount = 0
    }
    return handler
  }

  private func index(of number: UInt64) -> Int? {
    // Most handlers are removed soon after they were added.
    if let last = entries.last, last.number == number { return entries.count - 1 }
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].number == number ? low : nil
  }
}
