/// A list of items, first in, first out. It retains each item, and each item links to the next one, so the list
/// allocates nothing.
///
/// The owner of the list must release the items, since the list is a value without a deinitializer.
struct ItemList {
  private(set) var first: Unmanaged<QueuedItem>?
  private var last: Unmanaged<QueuedItem>?

  var isEmpty: Bool { first == nil }

  /// - Parameter item: an item, which the list retains.
  mutating func append(_ item: QueuedItem) { appendKept(.passRetained(item)) }

  /// - Parameter item: an item with a reference, which the list takes over.
  mutating func appendKept(_ item: Unmanaged<QueuedItem>) {
    if let last {
      last._withUnsafeGuaranteedRef { $0.following = item }
    } else {
      first = item
    }
    last = item
  }

  /// Appends all items of another list.
  ///
  /// - Complexity: O(1)
  mutating func append(_ other: ItemList) {
    guard let otherFirst = other.first else { return }
    if let last {
      last._withUnsafeGuaranteedRef { $0.following = otherFirst }
    } else {
      first = otherFirst
    }
    last = other.last
  }

  /// Removes the first item, which must exist. The reference passes to the caller.
  @inline(__always)
  mutating func dropFirst() {
    first = first?._withUnsafeGuaranteedRef { item in
      defer { item.following = nil }
      return item.following
    }
    if first == nil { last = nil }
  }

  /// - Returns: the first item, with a reference that passes to the caller.
  mutating func popFirst() -> QueuedItem? {
    guard let item = first else { return nil }
    dropFirst()
    return item.takeRetainedValue()
  }
}

extension QueuedItem {
  /// The next item in a list.
  @inline(__always)
  final var following: Unmanaged<QueuedItem>? {
    get {
      let address = next.load(ordering: .relaxed)
      return address == 0 ? nil : Unmanaged(address: address)
    }
    set { next.store(newValue?.address ?? 0, ordering: .relaxed) }
  }
}
