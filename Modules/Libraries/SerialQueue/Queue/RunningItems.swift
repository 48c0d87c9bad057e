/// The running items, in no order. They are not retained here: the code that runs an item retains
/// it.
struct RunningItems {
  /// Stored separately from the others, since usually only one item runs.
  private var first: Unmanaged<QueuedItem>?
  private var others: [Unmanaged<QueuedItem>] = []

  var count: Int { first == nil ? 0 : others.count + 1 }
  var isEmpty: Bool { first == nil }

  /// The number of items that have not ended. An item that has ended keeps its place while its handlers are called.
  var unendedCount: Int {
    func isUnended(_ item: Unmanaged<QueuedItem>) -> Bool {
      item._withUnsafeGuaranteedRef { $0.phase != .ended }
    }
    guard let first else { return 0 }
    return (isUnended(first) ? 1 : 0) + others.count(where: isUnended)
  }

  /// Whether a barrier is running, which runs alone.
  var isBarrier: Bool {
    first?._withUnsafeGuaranteedRef { $0.traits.contains(.barrier) } ?? false
  }

  /// Whether there is only one item, which is a synchronous function without a value and no barrier.
  var isOrdinary: Bool {
    guard let first, others.isEmpty else { return false }
    return first._withUnsafeGuaranteedRef {
      $0.kind == .plain && !$0.traits.contains(.barrier)
    }
  }

  var all: [QueuedItem] {
    guard let first else { return [] }
    return [first.takeUnretainedValue()] + others.map { $0.takeUnretainedValue() }
  }

  mutating func append(_ item: QueuedItem) {
    item.slot = Int32(truncatingIfNeeded: count)
    if first == nil {
      first = .passUnretained(item)
    } else {
      others.append(.passUnretained(item))
    }
  }

  /// - Complexity: O(1)
  mutating func remove(_ item: QueuedItem) {
    guard let last = others.popLast() else {
      first = nil
      return
    }
    let slot = item.slot
    guard slot <= others.count else { return }
    last._withUnsafeGuaranteedRef { $0.slot = slot }
    if slot == 0 { first = last } else { others[Int(slot) - 1] = last }
  }

  /// Replaces the only running item.
  @inline(__always)
  mutating func replaceOnly(by item: Unmanaged<QueuedItem>) {
    // The slot of a new item is zero.
    first = item
  }
}
