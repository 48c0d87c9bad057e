/// Items one after another, first in, first out, each kept by the list and leading to the next one: a list
/// that allocates nothing.
///
/// Whoever owns the list releases what is in it: it is a value, and does not do so by itself.
struct ItemList {
  private(set) var first: Unmanaged<QueuedItem>?
  private var last: Unmanaged<QueuedItem>?

  var isEmpty: Bool { first == nil }

  /// - Parameter item: is kept from now on.
  mutating func append(_ item: QueuedItem) { appendKept(.passRetained(item)) }

  /// - Parameter item: is kept already.
  mutating func appendKept(_ item: Unmanaged<QueuedItem>) {
    if let last {
      last._withUnsafeGuaranteedRef { $0.next = item }
    } else {
      first = item
    }
    last = item
  }

  /// - Parameter item: is kept already.
  mutating func prependKept(_ item: Unmanaged<QueuedItem>) {
    item._withUnsafeGuaranteedRef { $0.next = first }
    first = item
    if last == nil { last = item }
  }

  /// Appends all of another list.
  ///
  /// - Complexity: O(1)
  mutating func append(_ other: ItemList) {
    guard let otherFirst = other.first else { return }
    if let last {
      last._withUnsafeGuaranteedRef { $0.next = otherFirst }
    } else {
      first = otherFirst
    }
    last = other.last
  }

  /// - Returns: the first, which the caller keeps from now on.
  mutating func popFirst() -> QueuedItem? {
    guard let taken = first else { return nil }
    let item = taken.takeRetainedValue()
    first = item.next
    item.next = nil
    if first == nil { last = nil }
    return item
  }
}
