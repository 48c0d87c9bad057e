extension Array where Element: Comparable {
  /// The element that would be at a position if the elements were sorted. Changes the order of the elements.
  ///
  /// - Precondition: `position` is a position in the array.
  /// - Complexity: O(n) on average, O(n log n) at worst.
  @inlinable package mutating func select(_ position: Int) -> Element {
    precondition(indices.contains(position))
    return withUnsafeMutableBufferPointer { elements in
      var (first, last) = (0, elements.count - 1)
      // Each round usually halves the range. If it does not, the order of the elements is unfavourable.
      for _ in 0..<64 where first < last {
        let pivot = elements[first + (last - first) / 2]
        var (left, right) = (first, last)
        while left <= right {
          while elements[left] < pivot { left += 1 }
          while elements[right] > pivot { right -= 1 }
          guard left <= right else { break }
          elements.swapAt(left, right)
          (left, right) = (left + 1, right - 1)
        }
        if position <= right {
          last = right
        } else if position >= left {
          first = left
        } else {
          return elements[position]
        }
      }
      if first < last { elements[first...last].sort() }
      return elements[position]
    }
  }
}
