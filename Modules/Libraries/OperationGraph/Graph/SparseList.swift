/// A list in which few of many indices have an element. Indices without an element take no space.
struct SparseList<Element: Sendable>: Sendable {
  /// The indices that have an element, in ascending order.
  private(set) var indices: [Int32] = []
  private(set) var elements: [Element] = []

  var isEmpty: Bool { indices.isEmpty }

  /// - Complexity: O(log *n*); amortised O(1) to add an element after all others; otherwise O(*n*) to add or
  ///   remove one.
  subscript(index: Int32) -> Element? {
    get {
      let position = position(of: index)
      guard position < indices.count, indices[position] == index else { return nil }
      return elements[position]
    }
    set {
      let position = position(of: index)
      let isThere = position < indices.count && indices[position] == index
      switch (newValue, isThere) {
      case (let element?, true): elements[position] = element
      case (let element?, false):
        indices.insert(index, at: position)
        elements.insert(element, at: position)
      case (nil, true):
        indices.remove(at: position)
        elements.remove(at: position)
      case (nil, false): break
      }
    }
  }

  /// The entries at an index and after it.
  func entries(from index: Int32) -> [(index: Int32, element: Element)] {
    let first = position(of: index)
    return (first..<indices.count).map { (index: indices[$0], element: elements[$0]) }
  }

  /// The position of the index in `indices`, or the position at which it would be inserted.
  private func position(of index: Int32) -> Int {
    guard let last = indices.last, last >= index else { return indices.count }
    var (low, high) = (0, indices.count)
    while low < high {
      let middle = (low + high) / 2
      if indices[middle] < index { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
