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
      last._withUnsafeGuaranteedRef { $0.following = item }
    } else {
      first = item
    }
    last = item
  }

  /// Appends all of another list.
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

  /// Takes out the first, which there is, and whom the caller keeps from now on.
  @inline(__always)
  mutating func dropFirst() {
    first = first?._withUnsafeGuaranteedRef { item in
      defer { item.following = nil }
      return item.following
    }
    if first == nil { last = nil }
  }

  /// - Returns: the first, which the caller keeps from now on.
  mutating func popFirst() -> QueuedItem? {
    guard let item = first else { return nil }
    dropFirst()
    return item.takeRetainedValue()
  }
}

extension QueuedItem {
  /// What comes after it in a list.
  @inline(__always)
  final var following: Unmanaged<QueuedItem>? {
    get {
      let address = next.load(ordering: .relaxed)
      return address == 0 ? nil : Unmanaged(address: address)
    }
    set { next.store(newValue?.address ?? 0, ordering: .relaxed) }
  }
}
